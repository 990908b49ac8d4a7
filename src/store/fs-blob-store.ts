import { createHash, randomUUID } from 'node:crypto'
import { constants, createReadStream, type Dirent } from 'node:fs'
import { access, copyFile, link, readdir, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { systemCode } from '../schema/reason.ts'
import type { BlobStore, StoredObject } from './blob-store.ts'
import { makeFolder } from './make-folder.ts'
import { fileChanged, objectMissing, objectTooLarge } from './object-failure.ts'
import { pathBelow } from './path-below.ts'
import { orStoreFailed, storeFailed } from './store-failed.ts'
import { writeNewFile } from './write-new-file.ts'

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
    await this.#placed(
      key,
      (draft) => writeFile(draft, bytes),
      (draft) => rename(draft, path),
    )
  }

  async putIfAbsent(key: string, bytes: Uint8Array): Promise<boolean> {
    return this.#linkDraft(key, (draft) => writeFile(draft, bytes))
  }

  async putFile(key: string, path: string, sha256: string): Promise<boolean> {
    if (await this.has(key)) return false
    return this.#linkDraft(key, (draft) => copyChecked(path, draft, sha256))
  }

  async #linkDraft(key: string, write: (draft: string) => Promise<void>): Promise<boolean> {
    const path = this.#path(key)
    return this.#placed(key, write, async (draft) => {
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
      throw readFailed(key, error)
    }
  }

  async getToFile(key: string, path: string, maxBytes: number): Promise<void> {
    const from = this.#path(key)
    try {
      const { size } = await stat(from)
      if (size > maxBytes) throw objectTooLarge(key, size, maxBytes)
      await copyFile(from, path, constants.COPYFILE_FICLONE)
    } catch (error) {
      await rm(path, { force: true })
      throw readFailed(key, error)
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
    for await (const key of this.#files(prefix)) if (!isDraft(key)) yield key
  }

  async *objects(prefix: string, after = ''): AsyncIterable<StoredObject> {
    for await (const key of this.list(prefix)) {
      if (key <= after) continue
      const found = await stat(this.#path(key)).catch(() => undefined) // deleted meanwhile
      if (found) yield { key, bytes: found.size, modifiedMs: found.mtimeMs }
    }
  }

  async deleteDrafts(beforeMs: number, dryRun: boolean): Promise<number> {
    let count = 0
    for await (const key of this.#files('')) {
      if (!isDraft(key)) continue
      const found = await stat(this.#path(key)).catch(() => undefined)
      if (!found || found.mtimeMs >= beforeMs) continue
      count++
      if (!dryRun) await this.delete(key)
    }
    return count
  }

  #files(prefix: string): AsyncIterable<string> {
    return this.#walk(prefix.slice(0, prefix.lastIndexOf('/') + 1), prefix)
  }

  async *#walk(folder: string, prefix: string): AsyncIterable<string> {
    const entries = await readdir(join(this.#root, folder), { withFileTypes: true }).catch((error: unknown) => {
      if (isMissing(error)) return []
      throw storeFailed(`listing ${prefix}`, error)
    })
    const key = (entry: Dirent) => (entry.isDirectory() ? `${entry.name}/` : entry.name)
    for (const entry of entries.sort((a, b) => (key(a) < key(b) ? -1 : 1))) {
      const path = folder + key(entry)
      if (entry.isDirectory()) {
        if (path.startsWith(prefix) || prefix.startsWith(path)) yield* this.#walk(path, prefix)
      } else if (path.startsWith(prefix)) yield path
    }
  }

  /** Writes a draft beside the object and gives it its name. The folder may be missing, and another process may delete it at any time. */
  async #placed<T>(key: string, write: (draft: string) => Promise<void>, place: (draft: string) => Promise<T>): Promise<T> {
    const folder = dirname(this.#path(key))
    for (let tries = 1; ; tries++) {
      const draft = join(folder, `.draft-${randomUUID()}`)
      try {
        await write(draft)
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

/** Rejects with `input-changed` where what was copied has another SHA-256. */
async function copyChecked(from: string, to: string, sha256: string): Promise<void> {
  const hash = createHash('sha256')
  const hashed = async function* (pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      hash.update(piece)
      yield piece
    }
  }
  await writeNewFile(to, createReadStream(from, { highWaterMark: 1 << 20 }), hashed)
  if (hash.digest('hex') !== sha256) throw fileChanged(from)
}

/** A name that the system does not take names nothing. */
const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(systemCode(error) ?? '')

const isDraft = (key: string): boolean => key.slice(key.lastIndexOf('/') + 1).startsWith('.draft-')

const readFailed = (key: string, error: unknown) => (isMissing(error) ? objectMissing(key, error) : storeFailed(`reading ${key}`, error))

const unlessMissing = (error: unknown): void => {
  if (systemCode(error) !== 'ENOENT') throw error
}
