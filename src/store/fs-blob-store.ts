import { randomUUID } from 'node:crypto'
import { access, link, readdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PagestreamError } from '../schema/failure.ts'
import { systemCode } from '../schema/reason.ts'
import type { BlobStore } from './blob-store.ts'
import { makeFolder } from './make-folder.ts'
import { pathBelow } from './path-below.ts'
import { orStoreFailed, storeFailed } from './store-failed.ts'

/** How often a folder that goes away under our hands is made again. */
const placeTries = 10

/** Objects as files below one folder. A file is written under another name first, so a crash leaves no half object. */
export class FsBlobStore implements BlobStore {
  readonly #root: string

  constructor(root: string) {
    this.#root = root
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    const path = this.#path(key)
    await this.#placed(key, path, bytes, (draft) => rename(draft, path))
  }

  async putIfAbsent(key: string, bytes: Uint8Array): Promise<boolean> {
    const path = this.#path(key)
    return this.#placed(key, path, bytes, async (draft) => {
      try {
        await link(draft, path) // unlike rename, fails when the name is taken
        return true
      } catch (error) {
        if (systemCode(error) === 'EEXIST') return false
        throw error
      } finally {
        await unlink(draft).catch(() => undefined)
      }
    })
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
    try {
      await access(this.#path(key))
      return true
    } catch (error) {
      if (isMissing(error)) return false // all else says nothing of the object
      throw storeFailed(`looking for ${key}`, error)
    }
  }

  async delete(key: string): Promise<void> {
    await orStoreFailed(`deleting ${key}`, () => unlink(this.#path(key)).catch(unlessMissing))
  }

  async deleteAll(prefix: string): Promise<void> {
    // Others may write below it meanwhile.
    await orStoreFailed(`deleting ${prefix}`, () => rm(this.#path(prefix), { force: true, recursive: true, maxRetries: placeTries, retryDelay: 10 }))
  }

  async *list(prefix: string): AsyncIterable<string> {
    const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1)
    yield* this.#walk(folder, prefix)
  }

  async *#walk(folder: string, prefix: string): AsyncIterable<string> {
    const entries = await readdir(join(this.#root, folder), { withFileTypes: true }).catch((error: unknown) => {
      if (isMissing(error)) return []
      throw storeFailed(`listing ${prefix}`, error)
    })
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const key = folder + entry.name
      if (entry.isDirectory()) {
        if (`${key}/`.startsWith(prefix) || prefix.startsWith(`${key}/`)) yield* this.#walk(`${key}/`, prefix)
      } else if (key.startsWith(prefix) && !entry.name.startsWith('.draft-')) yield key
    }
  }

  /** Writes a draft beside the object and gives it its name. The folder may be missing, and another process may delete it at any time. */
  async #placed<T>(key: string, path: string, bytes: Uint8Array, place: (draft: string) => Promise<T>): Promise<T> {
    const folder = dirname(path)
    for (let tries = 1; ; tries++) {
      const draft = join(folder, `.draft-${randomUUID()}`)
      try {
        await writeFile(draft, bytes)
        return await place(draft)
      } catch (error) {
        if (systemCode(error) !== 'ENOENT' || tries > placeTries) {
          await unlink(draft).catch(() => undefined)
          throw storeFailed(`writing ${key}`, error)
        }
        makeFolder(folder)
      }
    }
  }

  #path(key: string): string {
    return pathBelow(this.#root, key)
  }
}

const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')

const unlessMissing = (error: unknown): void => {
  if (systemCode(error) !== 'ENOENT') throw error
}
