import { createReadStream } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { z } from 'zod'
import { PagestreamError, toFailure } from '../schema/failure.ts'
import { documentIdSchema } from '../schema/page.ts'
import { reasonOf } from '../schema/reason.ts'
import type { ArchiveEntry, ArchiveSource } from './archive-source.ts'

/** Longer lines are no entries. */
const longestLine = 64 * 1024

const lineSchema = z.union([
  z.string().min(1),
  z.object({ path: z.string().min(1), name: z.string().min(1).max(4096).optional(), id: documentIdSchema.optional() }),
])

/** A text file with one entry a line: a path, or JSON with path, name and id. Paths begin at its folder. A position is an offset in bytes. */
export class ManifestArchive implements ArchiveSource {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  async *entries(after: string): AsyncIterable<ArchiveEntry> {
    for await (const { end, text } of lines(this.#path, Number(after))) {
      if (text?.trim() === '') continue
      yield { position: String(end), what: this.#parse(text, end) }
    }
  }

  #parse(text: string | undefined, end: number): ArchiveEntry['what'] {
    const line = lineSchema.safeParse(text === undefined ? undefined : text.startsWith('{') ? parsed(text) : text)
    if (!line.success) return toFailure(new PagestreamError('manifest-invalid', `reading the manifest: the line that ends at byte ${end} is no entry`))
    const { path, name, id } = typeof line.data === 'string' ? { path: line.data, name: undefined, id: undefined } : line.data
    return { kind: 'file', path: resolve(dirname(this.#path), path), name: name ?? basename(path), ...(id !== undefined && { documentId: id }) }
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Lines with the offset behind each; without text those that are too long. */
async function* lines(path: string, start: number): AsyncIterable<{ end: number; text: string | undefined }> {
  let at = start
  let held: Buffer[] = []
  let heldBytes = 0
  const line = (): string | undefined => (heldBytes > longestLine ? undefined : Buffer.concat(held).toString('utf8').replace(/\r$/, ''))
  try {
    for await (const piece of createReadStream(path, { start }) as AsyncIterable<Buffer>) {
      for (let from = 0; from < piece.length; ) {
        const newline = piece.indexOf(10, from)
        const part = piece.subarray(from, newline < 0 ? piece.length : newline)
        heldBytes += part.length
        if (heldBytes <= longestLine) held.push(part)
        at += part.length
        from += part.length
        if (newline < 0) continue
        from++
        at++
        yield { end: at, text: line() }
        held = []
        heldBytes = 0
      }
    }
  } catch (cause) {
    throw new PagestreamError('document-not-found', `reading ${path}: ${reasonOf(cause)}`, { cause })
  }
  if (heldBytes > 0) yield { end: at, text: line() }
}
