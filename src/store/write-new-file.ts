import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/**
 * Writes what comes of a source into a file. Rejects with what either of them throws, and leaves no file then: one that is still being opened
 * when the source breaks off would appear after it was removed, so it is waited for.
 */
export async function writeNewFile(
  path: string,
  source: Readable,
  through: (source: AsyncIterable<Buffer>) => AsyncIterable<Buffer>,
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  const file = createWriteStream(path)
  const closed = new Promise<void>((resolve) => file.once('close', resolve))
  try {
    await pipeline(source, through, file, options)
  } catch (error) {
    await closed
    await rm(path, { force: true })
    throw error
  }
}
