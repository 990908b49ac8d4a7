import type { ArtifactRef } from '../schema/events.ts'
import { PagestreamError } from '../schema/failure.ts'
import type { Artifacts } from './artifacts.ts'
import type { BlobStore } from './blob-store.ts'

/** Lasting values kept decoded, so that a short document is never read back. */
const recentValues = 128

/** Artifacts of one process: passing values stay live objects, lasting ones are JSON in the blob store. */
export class LocalArtifacts implements Artifacts {
  readonly #passing = new Map<string, unknown>()
  readonly #recent = new Map<string, unknown>()
  readonly #store: BlobStore

  constructor(store: BlobStore) {
    this.#store = store
  }

  async put(key: string, value: unknown, life: 'passing' | 'lasting'): Promise<ArtifactRef> {
    if (life === 'passing') {
      this.#passing.set(key, value)
      return { key }
    }
    const written = await this.#store.putIfAbsent(`${key}.json`, Buffer.from(JSON.stringify(value)))
    if (written) this.#remember(key, value)
    return { key }
  }

  async get<T>({ key }: ArtifactRef): Promise<T> {
    if (this.#passing.has(key)) return this.#passing.get(key) as T
    if (this.#recent.has(key)) return this.#recent.get(key) as T
    const bytes = await this.#store.get(`${key}.json`)
    try {
      return JSON.parse(Buffer.from(bytes).toString('utf8')) as T
    } catch (error) {
      throw new PagestreamError('artifact-missing', `reading ${key} from the store: it is damaged`, { cause: error })
    }
  }

  async has(key: string): Promise<boolean> {
    return this.#recent.has(key) || this.#store.has(`${key}.json`)
  }

  async forget(prefix: string, life: 'passing' | 'lasting'): Promise<void> {
    const values = life === 'passing' ? this.#passing : this.#recent
    for (const key of values.keys()) if (key === prefix || key.startsWith(`${prefix}/`)) values.delete(key)
    if (life === 'passing') return
    await this.#store.delete(`${prefix}.json`)
    await this.#store.deleteAll(prefix)
  }

  #remember(key: string, value: unknown): void {
    this.#recent.set(key, value)
    for (const oldest of this.#recent.keys()) {
      if (this.#recent.size <= recentValues) break
      this.#recent.delete(oldest)
    }
  }
}
