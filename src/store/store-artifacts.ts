import type { ArtifactRef } from '../schema/events.ts'
import { PagestreamError } from '../schema/failure.ts'
import type { Artifacts } from './artifacts.ts'
import type { BlobStore } from './blob-store.ts'

/** Below this lie passing values: rules of the store may let them expire. */
export const passingPrefix = 'tmp/'

/** Coordinates are points to a hundredth; single precision would write them with a tail of noise. */
const hundredths = (value: number): number => Math.round(value * 100) / 100

/** JSON; numbers of a typed array become a list, which reads back as one. */
const encode = (value: unknown): Buffer =>
  Buffer.from(JSON.stringify(value, (_key, part: unknown) => (part instanceof Float32Array ? Array.from(part, hundredths) : part)))

/**
 * Artifacts of many processes: every value is JSON in a shared store. Passing values lie apart; each process may delete
 * those of a page that is done, so whoever misses one looks for the page's result.
 */
export class StoreArtifacts implements Artifacts {
  readonly #store: BlobStore

  constructor(store: BlobStore) {
    this.#store = store
  }

  async put(key: string, value: unknown, life: 'passing' | 'lasting' | 'latest'): Promise<ArtifactRef> {
    const place = (life === 'passing' ? passingPrefix : '') + objectKey(key)
    if (life === 'lasting') await this.#store.putIfAbsent(place, encode(value))
    else await this.#store.put(place, encode(value))
    return { key: place }
  }

  async get<T>({ key }: ArtifactRef): Promise<T> {
    const bytes = await this.#store.get(key)
    try {
      return JSON.parse(Buffer.from(bytes).toString('utf8')) as T
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
    await this.#store.delete(`${place}.json`)
    await this.#store.deleteAll(place)
  }
}

const objectKey = (key: string): string => `${key}.json`
