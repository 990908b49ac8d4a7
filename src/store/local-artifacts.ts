import { basename, dirname } from 'node:path'
import type { ArtifactRef } from '../schema/events.ts'
import { PagestreamError } from '../schema/failure.ts'
import type { OwnArtifacts } from './artifacts.ts'
import { Journal } from './journal.ts'
import { pathBelow } from './path-below.ts'

/** Lasting values kept decoded, so that a short document is never read back. */
const recentValues = 128

/**
 * Artifacts of one process: passing values stay live objects; lasting ones are JSON in journals below a folder that belongs to this
 * process. `results/d/7` is the record `7` of the journal `results/d`: whether a value is there is asked of the disk once a journal.
 */
export class LocalArtifacts implements OwnArtifacts, AsyncDisposable {
  readonly shared = false
  readonly #passing = new Map<string, unknown>()
  readonly #recent = new Map<string, unknown>()
  readonly #journals = new Map<string, Journal>()
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async put(key: string, value: unknown, life: 'passing' | 'lasting'): Promise<ArtifactRef> {
    if (life === 'passing') {
      this.#passing.set(key, value)
      return { key }
    }
    const [journal, name] = this.#placeOf(key)
    if (journal.putIfAbsent(name, JSON.stringify(value))) this.#remember(key, value)
    return { key }
  }

  async get<T>({ key }: ArtifactRef): Promise<T> {
    if (this.#passing.has(key)) return this.#passing.get(key) as T
    if (this.#recent.has(key)) return this.#recent.get(key) as T
    const [journal, name] = this.#placeOf(key)
    const text = journal.get(name)
    if (text === undefined) throw new PagestreamError('artifact-missing', `reading ${key} from the store: there is no such value`)
    try {
      return JSON.parse(text) as T
    } catch (error) {
      throw new PagestreamError('artifact-missing', `reading ${key} from the store: it is damaged`, { cause: error })
    }
  }

  async find(key: string, life: 'lasting' | 'either'): Promise<ArtifactRef | undefined> {
    if (life === 'either' && this.#passing.has(key)) return { key }
    const [journal, name] = this.#placeOf(key)
    return journal.has(name) ? { key } : undefined
  }

  async *list(prefix: string): AsyncIterable<{ name: string; ref: ArtifactRef }> {
    const names = new Set(this.#journal(prefix).names())
    for (const key of this.#passing.keys()) if (dirname(key) === prefix) names.add(basename(key))
    for (const name of names) yield { name, ref: { key: `${prefix}/${name}` } }
  }

  async abandon(prefix: string): Promise<void> {
    await this.forget(prefix, 'passing')
  }

  async forget(prefix: string, life: 'passing' | 'lasting'): Promise<void> {
    if (life === 'passing') return dropBelow(this.#passing, prefix)
    dropBelow(this.#recent, prefix)
    const [above, name] = this.#placeOf(prefix)
    above.delete(name)
    const journal = this.#journal(prefix)
    this.#journals.delete(prefix)
    journal.remove()
  }

  /** Nobody is about to ask for the lasting values below `prefix/`: they leave the memory, their file is closed. */
  async release(prefix: string): Promise<void> {
    dropBelow(this.#recent, prefix)
    this.#journals.get(prefix)?.close()
    this.#journals.delete(prefix)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const folder of [...this.#journals.keys()]) await this.release(folder)
  }

  #placeOf(key: string): [Journal, string] {
    return [this.#journal(dirname(key)), basename(key)]
  }

  #journal(folder: string): Journal {
    const known = this.#journals.get(folder)
    if (known) return known
    const opened = new Journal(`${pathBelow(this.#folder, folder)}.journal`)
    this.#journals.set(folder, opened)
    return opened
  }

  #remember(key: string, value: unknown): void {
    this.#recent.set(key, value)
    for (const oldest of this.#recent.keys()) {
      if (this.#recent.size <= recentValues) break
      this.#recent.delete(oldest)
    }
  }
}

const isAtOrBelow = (key: string, prefix: string): boolean => key === prefix || key.startsWith(`${prefix}/`)

function dropBelow(values: Map<string, unknown>, prefix: string): void {
  for (const key of values.keys()) if (isAtOrBelow(key, prefix)) values.delete(key)
}
