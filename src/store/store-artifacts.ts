import type { ArtifactRef } from '../schema/events.ts'
import { PagestreamError } from '../schema/failure.ts'
import { decodeArtifact, encodeArtifact } from './artifact-codec.ts'
import type { SharedArtifacts } from './artifacts.ts'
import type { BlobStore } from './blob-store.ts'
import { StoredVersions, type Versions } from './versions.ts'

/** Below this lie passing values: rules of the store may let them expire. */
export const passingPrefix = 'tmp/'

/** Passing values that this process has just written, kept as they are for a next stage in the same process. */
const recentValues = 128

/**
 * Artifacts of many processes: every value is JSON in a shared store. Passing values lie apart; each process may delete
 * those of a page that is done, so whoever misses one looks for the page's result.
 */
export class StoreArtifacts implements SharedArtifacts {
  readonly shared = true
  readonly #store: BlobStore
  readonly #recent = new Map<string, unknown>()

  constructor(store: BlobStore) {
    this.#store = store
  }

  async put(key: string, value: unknown, life: 'passing' | 'lasting' | 'latest'): Promise<ArtifactRef> {
    const place = (life === 'passing' ? passingPrefix : '') + objectKey(key)
    const bytes = encodeArtifact(key, value)
    if (life === 'lasting') await this.#store.putIfAbsent(place, bytes)
    else await this.#store.put(place, bytes)
    if (life === 'passing') this.#remember(place, value)
    return { key: place }
  }

  versions<T>(key: string): Versions<T> {
    return new StoredVersions(this.#store, key)
  }

  async get<T>({ key }: ArtifactRef): Promise<T> {
    if (this.#recent.has(key)) return this.#recent.get(key) as T
    const bytes = await this.#store.get(key)
    try {
      return decodeArtifact(key.replace(/\.json$/, ''), bytes) as T
    } catch (error) {
      throw new PagestreamError('artifact-missing', `reading ${key} from the store: it is damaged`, { cause: error })
    }
  }

  async find(key: string, life: 'lasting' | 'either'): Promise<ArtifactRef | undefined> {
    if (await this.#store.has(objectKey(key))) return { key: objectKey(key) }
    const passing = passingPrefix + objectKey(key)
    return life === 'either' && (await this.#store.has(passing)) ? { key: passing } : undefined
  }

  async *list(prefix: string): AsyncIterable<{ name: string; ref: ArtifactRef }> {
    for (const place of [passingPrefix + prefix, prefix]) {
      for await (const key of this.#store.list(`${place}/`)) {
        const name = key.slice(place.length + 1)
        if (!name.includes('/')) yield { name: name.replace(/\.json$/, ''), ref: { key } }
      }
    }
  }

  async abandon(_prefix: string): Promise<void> {}

  async forget(prefix: string, life: 'passing' | 'lasting'): Promise<void> {
    const place = life === 'passing' ? passingPrefix + prefix : prefix
    for (const key of this.#recent.keys()) if (key === `${place}.json` || key.startsWith(`${place}/`)) this.#recent.delete(key)
    await this.#store.delete(`${place}.json`)
    await this.#store.deleteAll(place)
  }

  #remember(place: string, value: unknown): void {
    this.#recent.delete(place)
    this.#recent.set(place, value)
    const [oldest] = this.#recent.keys()
    if (oldest !== undefined && this.#recent.size > recentValues) this.#recent.delete(oldest)
  }
}

const objectKey = (key: string): string => `${key}.json`
