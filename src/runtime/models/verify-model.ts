import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { howToGet, placeOf, unpackedPlace } from './locate-model.ts'
import type { ModelEntry, ModelFile, ModelManifest } from './manifest.ts'
import { shippedManifest } from './manifest.ts'
import { isUnpacked } from './unpack-model.ts'

/** `present`: there, with the right size, checksum not computed. `unchecked`: there, the manifest knows no checksum. */
export type FileState = 'ok' | 'missing' | 'wrong-checksum' | 'unchecked' | 'present'

export interface ModelState {
  readonly id: string
  readonly contract: string
  readonly title: string
  readonly licence: string
  /** The worst of its files. */
  readonly state: FileState
  readonly bytes?: number
  readonly path?: string
  /** What to do when the state is not good. */
  readonly fix?: string
  readonly fetchable: boolean
}

/** SHA-256 of a file, hexadecimal. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** Whether a checksum is the one that the manifest names, as far as it names one. */
export function matchesChecksum(file: ModelFile, sha256: string): boolean {
  if (file.sha256) return file.sha256 === sha256
  return file.sha256Prefix === undefined || sha256.startsWith(file.sha256Prefix)
}

/** The files of a model: itself and, where it has one, its dictionary. */
export const filesOf = (entry: ModelEntry): ModelFile[] => {
  const { file, bytes, sha256, sha256Prefix, source } = entry
  const model: ModelFile = { file, source, ...(bytes !== undefined && { bytes }), ...(sha256 && { sha256 }), ...(sha256Prefix && { sha256Prefix }) }
  return entry.dictionary && 'file' in entry.dictionary ? [model, entry.dictionary] : [model]
}

const severity: readonly FileState[] = ['ok', 'present', 'unchecked', 'wrong-checksum', 'missing']

/** The state of every model of the manifest. `checksums: false` only looks whether the files are there, with the right size. */
export async function modelStates(
  directory: string,
  options: { checksums: boolean; ids?: readonly string[] },
  manifest: ModelManifest = shippedManifest(),
): Promise<ModelState[]> {
  const wanted = manifest.models.filter((entry) => !options.ids || options.ids.includes(entry.id))
  const states: ModelState[] = []
  for (const entry of wanted) states.push(await modelState(entry, directory, options.checksums))
  return states
}

async function modelState(entry: ModelEntry, directory: string, checksums: boolean): Promise<ModelState> {
  let worst: FileState = 'ok'
  let fix: string | undefined
  for (const file of filesOf(entry)) {
    const state = await fileState(file, directory, checksums)
    if (severity.indexOf(state) <= severity.indexOf(worst)) continue
    worst = state
    if (state === 'missing') fix = howToGet(entry.id, file, directory)
    if (state === 'wrong-checksum') fix = `delete ${placeOf(file, directory)}; ${howToGet(entry.id, file, directory)}`
  }
  if (worst !== 'missing' && !(await isUnpacked(entry, directory))) {
    worst = 'missing'
    fix = `${entry.file} is not unpacked; run \`pagestream models fetch ${entry.id}\``
  }
  const path = unpackedPlace(entry, directory) ?? placeOf(entry, directory)
  return {
    id: entry.id,
    contract: entry.contract,
    title: entry.title,
    licence: entry.licence,
    state: worst,
    ...(entry.bytes !== undefined && { bytes: entry.bytes }),
    ...(path && { path }),
    ...(fix && { fix }),
    fetchable: 'url' in entry.source,
  }
}

async function fileState(file: ModelFile, directory: string, checksums: boolean): Promise<FileState> {
  const place = placeOf(file, directory)
  const found = place ? await stat(place).catch(() => undefined) : undefined
  if (!place || !found?.isFile()) return 'missing'
  if (file.bytes !== undefined && found.size !== file.bytes) return 'wrong-checksum'
  if (!file.sha256 && !file.sha256Prefix) return 'unchecked'
  if (!checksums) return 'present'
  return matchesChecksum(file, await sha256OfFile(place)) ? 'ok' : 'wrong-checksum'
}
