import { PagestreamError } from '../schema/failure.ts'
import type { BlobStore } from './blob-store.ts'

/** Objects in memory, for tests and short runs. */
export class MemoryBlobStore implements BlobStore {
  readonly #objects = new Map<string, Uint8Array>()

  async put(key: string, bytes: Uint8Array): Promise<void> {
    this.#objects.set(key, bytes.slice())
  }

  async putIfAbsent(key: string, bytes: Uint8Array): Promise<boolean> {
    if (this.#objects.has(key)) return false
    this.#objects.set(key, bytes.slice())
    return true
  }

  async get(key: string): Promise<Uint8Array> {
    const bytes = this.#objects.get(key)
    if (!bytes) throw new PagestreamError('artifact-missing', `reading ${key} from the store: there is no such object`)
    return bytes
  }

  async has(key: string): Promise<boolean> {
    return this.#objects.has(key)
  }

  async delete(key: string): Promise<void> {
    this.#objects.delete(key)
  }

  async deleteAll(prefix: string): Promise<void> {
    for (const key of this.#objects.keys()) if (key.startsWith(`${prefix}/`) || key === prefix) this.#objects.delete(key)
  }

  async *list(prefix: string): AsyncIterable<string> {
    for (const key of [...this.#objects.keys()].sort()) if (key.startsWith(prefix)) yield key
  }
}
