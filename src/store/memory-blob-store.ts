import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { PagestreamError } from '../schema/failure.ts'
import type { BlobStore, StoredObject } from './blob-store.ts'
import { fileChanged, objectTooLarge } from './object-failure.ts'
import { orStoreFailed } from './store-failed.ts'

/** Objects in memory, for tests and short runs. */
export class MemoryBlobStore implements BlobStore {
  readonly #objects = new Map<string, Uint8Array>()
  readonly #modifiedMs = new Map<string, number>()

  async put(key: string, bytes: Uint8Array): Promise<void> {
    this.#set(key, bytes)
  }

  async putIfAbsent(key: string, bytes: Uint8Array): Promise<boolean> {
    if (this.#objects.has(key)) return false
    this.#set(key, bytes)
    return true
  }

  async putFile(key: string, path: string, sha256: string): Promise<boolean> {
    if (this.#objects.has(key)) return false
    const bytes = await orStoreFailed(`reading ${path}`, () => readFile(path))
    if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw fileChanged(path)
    return this.putIfAbsent(key, bytes)
  }

  async get(key: string): Promise<Uint8Array> {
    const bytes = this.#objects.get(key)
    if (!bytes) throw new PagestreamError('artifact-missing', `reading ${key} from the store: there is no such object`)
    return bytes
  }

  async getToFile(key: string, path: string, maxBytes: number): Promise<void> {
    const bytes = await this.get(key)
    if (bytes.length > maxBytes) throw objectTooLarge(key, bytes.length, maxBytes)
    await orStoreFailed(`writing ${path}`, () => writeFile(path, bytes, { flag: 'wx' }))
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

  async *objects(prefix: string, after = ''): AsyncIterable<StoredObject> {
    for await (const key of this.list(prefix))
      if (key > after) yield { key, bytes: this.#objects.get(key)?.length ?? 0, modifiedMs: this.#modifiedMs.get(key) ?? 0 }
  }

  async deleteDrafts(): Promise<number> {
    return 0
  }

  #set(key: string, bytes: Uint8Array): void {
    this.#objects.set(key, bytes.slice())
    this.#modifiedMs.set(key, Date.now())
  }
}
