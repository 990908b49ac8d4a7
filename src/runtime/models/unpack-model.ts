import { randomUUID } from 'node:crypto'
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { PagestreamError } from '../../schema/failure.ts'
import { unpackedPlace } from './locate-model.ts'
import type { ModelEntry } from './manifest.ts'

/** Of all that is taken out of an archive. */
const maxBytes = 512 * 1024 ** 2

/** Whether all that is wanted of an archive lies in its folder. True for what is no archive. */
export async function isUnpacked(entry: ModelEntry, directory: string): Promise<boolean> {
  const folder = unpackedPlace(entry, directory)
  if (folder === undefined) return true
  const found = await Promise.allSettled((entry.unpack ?? []).map((path) => access(join(folder, basename(path)))))
  return found.every(({ status }) => status === 'fulfilled')
}

/**
 * Takes the files of `entry.unpack` out of a ZIP archive whose checksum was right, and returns their folder. The folder appears whole or not at
 * all. Rejects with `model-missing` for an archive without one of the files, or with more in them than `maxBytes`.
 */
export async function unpackModel(entry: ModelEntry, archive: string, directory: string): Promise<string> {
  const folder = unpackedPlace(entry, directory)
  if (folder === undefined || (await isUnpacked(entry, directory))) return folder ?? archive
  const draft = `${folder}.${randomUUID()}`
  try {
    await mkdir(draft, { recursive: true })
    await unpackInto(draft, entry, await readFile(archive))
    await rm(folder, { recursive: true, force: true })
    await rename(draft, folder)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return folder
}

async function unpackInto(folder: string, { id, unpack = [] }: ModelEntry, archive: Uint8Array): Promise<void> {
  const { unzipSync } = await import('fflate')
  let left = maxBytes
  for (const path of unpack) {
    const found = unzipSync(archive, { filter: ({ name, originalSize }) => name === path && originalSize <= left })[path]
    if (!found) throw new PagestreamError('model-missing', `unpacking ${id}: the archive has no ${path}, or too much in it`)
    left -= found.length
    await writeFile(join(folder, basename(path)), found)
  }
}
