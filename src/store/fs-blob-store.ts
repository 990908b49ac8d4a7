import { randomUUID } from 'node:crypto'
import { access, link, readdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PagestreamError } from '../schema/failure.ts'
import { systemCode } from '../schema/reason.ts'
import type { BlobStore } from './blob-store.ts'
import { makeFolder } from './make-folder.ts'
import { pathBelow } from './path-below.ts'
import { orStoreFailed, storeFailed } from './store-failed.ts'

/** Objects as files below one folder. A file is written under another name first, so a crash leaves no half object. */
export class FsBlobStore implements BlobStore {
  readonly #root: string
  readonly #folders = new Set<string>()

  constructor(root: string) {
    this.#root = root
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    const path = this.#path(key)
    const draft = await this.#draft(path, bytes)
    await orStoreFailed(`writing ${key}`, () => rename(draft, path))
  }

  async putIfAbsent(key: string, bytes: Uint8Array): Promise<boolean> {
    const path = this.#path(key)
    const draft = await this.#draft(path, bytes)
    try {
      await link(draft, path) // unlike rename, fails when the name is taken
      return true
    } catch (error) {
      if (systemCode(error) === 'EEXIST') return false
      throw storeFailed(`writing ${key}`, error)
    } finally {
      await unlink(draft).catch(() => undefined)
    }
  }

  async get(key: string): Promise<Uint8Array> {
    const path = this.#path(key)
    try {
      return await readFile(path)
    } catch (error) {
      if (systemCode(error) === 'ENOENT')
        throw new PagestreamError('artifact-missing', `reading ${key} from the store: there is no such object`, { cause: error })
      throw storeFailed(`reading ${key}`, error)
    }
  }

  async has(key: string): Promise<boolean> {
    return access(this.#path(key)).then(
      () => true,
      () => false,
    )
  }

  async delete(key: string): Promise<void> {
    await orStoreFailed(`deleting ${key}`, () => unlink(this.#path(key)).catch(unlessMissing))
  }

  async deleteAll(prefix: string): Promise<void> {
    this.#folders.clear()
    await orStoreFailed(`deleting ${prefix}`, () => rm(this.#path(prefix), { force: true, recursive: true }))
  }

  async *list(prefix: string): AsyncIterable<string> {
    const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1)
    yield* this.#walk(folder, prefix)
  }

  async *#walk(folder: string, prefix: string): AsyncIterable<string> {
    const entries = await readdir(join(this.#root, folder), { withFileTypes: true }).catch(() => [])
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const key = folder + entry.name
      if (entry.isDirectory()) {
        if (`${key}/`.startsWith(prefix) || prefix.startsWith(`${key}/`)) yield* this.#walk(`${key}/`, prefix)
      } else if (key.startsWith(prefix) && !entry.name.startsWith('.draft-')) yield key
    }
  }

  async #draft(path: string, bytes: Uint8Array): Promise<string> {
    const folder = dirname(path)
    if (!this.#folders.has(folder)) {
      makeFolder(folder)
      this.#folders.add(folder)
    }
    const draft = join(folder, `.draft-${randomUUID()}`)
    await orStoreFailed('writing to the store', () => writeFile(draft, bytes))
    return draft
  }

  #path(key: string): string {
    return pathBelow(this.#root, key)
  }
}

const unlessMissing = (error: unknown): void => {
  if (systemCode(error) !== 'ENOENT') throw error
}
