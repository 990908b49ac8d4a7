import { PagestreamError } from '../schema/failure.ts'
import type { BlobStore } from './blob-store.ts'

/** Digits of a version in its key, so that keys ascend as versions do. */
const digits = 12
/** Readings that find their version deleted under their hands, one after the other. */
const mostReadings = 20

/** A value that several processes replace, each only the version that it has read. */
export interface Versions<T> {
  /** The value as it stands; version 0 for none. */
  read(): Promise<{ readonly version: number; readonly value: T | undefined }>
  /** Writes the version that follows; false when another process has written it. */
  replace(version: number, value: T): Promise<boolean>
  /** Whether that version is still the last one; those before it are deleted then. */
  settle(version: number): Promise<boolean>
}

/**
 * Every version is an object of its own below the key, created only if absent: so each store that knows who was first can compare
 * and replace. Whoever was asleep while others deleted what it has read may write an old version anew: `settle` tells it.
 */
export class StoredVersions<T> implements Versions<T> {
  readonly #store: BlobStore
  readonly #key: string

  constructor(store: BlobStore, key: string) {
    this.#store = store
    this.#key = key
  }

  async read(): Promise<{ version: number; value: T | undefined }> {
    for (let readings = 1; ; readings++) {
      const version = (await this.#all()).at(-1)
      if (version === undefined) return { version: 0, value: undefined }
      try {
        return { version, value: JSON.parse(Buffer.from(await this.#store.get(this.#place(version))).toString('utf8')) as T }
      } catch (error) {
        if (!(error instanceof PagestreamError) || error.code !== 'artifact-missing' || readings >= mostReadings) throw error
      }
    }
  }

  replace(version: number, value: T): Promise<boolean> {
    return this.#store.putIfAbsent(this.#place(version + 1), Buffer.from(JSON.stringify(value)))
  }

  async settle(version: number): Promise<boolean> {
    const all = await this.#all()
    if (all.at(-1) !== version) return false
    for (const old of all) if (old < version) await this.#store.delete(this.#place(old))
    return true
  }

  async #all(): Promise<number[]> {
    const versions: number[] = []
    for await (const key of this.#store.list(`${this.#key}/`)) {
      const [, version] = /^(\d+)\.json$/.exec(key.slice(this.#key.length + 1)) ?? []
      if (version !== undefined) versions.push(Number(version))
    }
    return versions
  }

  #place(version: number): string {
    return `${this.#key}/${String(version).padStart(digits, '0')}.json`
  }
}
