import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isDocument } from '../inputs/input-files.ts'
import { type Failure, PagestreamError, toFailure } from '../schema/failure.ts'
import { reasonOf } from '../schema/reason.ts'
import type { ArchiveEntry, ArchiveSource } from './archive-source.ts'

/** Names of one folder that are held and sorted at once; a folder with more is gone through several times. */
const mostNames = 50_000
/** Deeper folders are refused: names are held for every level. */
const mostLevels = 64

interface Named {
  readonly name: string
  readonly folder: boolean
}

/** The documents below a folder, sorted name by name; hidden ones are left out. A position is a path below the folder. */
export class FolderArchive implements ArchiveSource {
  readonly #root: string
  readonly #names: number

  constructor(root: string, names: number = mostNames) {
    this.#root = root
    this.#names = names
  }

  async *entries(after: string): AsyncIterable<ArchiveEntry> {
    const found = await stat(this.#root).catch((cause) => {
      throw new PagestreamError('document-not-found', `reading ${this.#root}: ${reasonOf(cause)}`, { cause })
    })
    if (!found.isDirectory()) throw new PagestreamError('document-not-found', `reading ${this.#root}: it is not a folder`)
    yield* this.#walk([], after === '' ? [] : after.split('/'))
  }

  async *#walk(levels: readonly string[], after: readonly string[]): AsyncIterable<ArchiveEntry> {
    const [first, ...rest] = after
    for (let last = first, including = rest.length > 0; ; including = false) {
      const names = await this.#namesAfter(levels, last, including)
      if ('failure' in names) {
        yield { position: [...levels, last ?? ''].join('/'), what: names.failure }
        return
      }
      for (const { name, folder } of names.sorted) {
        last = name
        const below = [...levels, name]
        if (folder) yield* this.#walk(below, name === first ? rest : [])
        else yield { position: below.join('/'), what: await this.#what(below) }
      }
      if (!names.more) return
    }
  }

  async #what(below: readonly string[]): Promise<ArchiveEntry['what']> {
    const [path, name] = [join(this.#root, ...below), below.join('/')]
    return (await isDocument(path)) ? { kind: 'file', path, name } : { kind: 'left-out', name }
  }

  /** The next names of a folder in order: as many as may be held. */
  async #namesAfter(
    levels: readonly string[],
    last: string | undefined,
    including: boolean,
  ): Promise<{ sorted: Named[]; more: boolean } | { failure: Failure }> {
    const folder = join(this.#root, ...levels)
    let names: Named[] = []
    let more = false
    try {
      if (levels.length > mostLevels) throw new PagestreamError('document-not-supported', `reading ${folder}: it lies more than ${mostLevels} levels deep`)
      for await (const entry of await opendir(folder)) {
        const { name } = entry
        if (name.startsWith('.') || (last !== undefined && (name < last || (name === last && !including)))) continue
        const isFile = entry.isFile() || (entry.isSymbolicLink() && (await stat(join(folder, name)).catch(() => undefined))?.isFile() === true)
        if (!isFile && !entry.isDirectory()) continue
        names.push({ name, folder: entry.isDirectory() })
        if (names.length < 2 * this.#names) continue
        names = sorted(names).slice(0, this.#names)
        more = true
      }
    } catch (cause) {
      if (cause instanceof PagestreamError) return { failure: toFailure(cause) }
      return { failure: toFailure(new PagestreamError('document-not-found', `reading ${folder}: ${reasonOf(cause)}`, { cause })) }
    }
    if (names.length > this.#names) more = true
    return { sorted: sorted(names).slice(0, this.#names), more }
  }
}

const sorted = (names: Named[]): Named[] => names.sort((a, b) => (a.name < b.name ? -1 : 1))
