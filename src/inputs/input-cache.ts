import { randomUUID } from 'node:crypto'
import { mkdtemp, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config/config.ts'
import { PagestreamError } from '../schema/failure.ts'
import type { DocumentSource } from '../schema/page.ts'
import type { BlobStore } from '../store/blob-store.ts'
import { sha256OfFile } from '../store/sha256-of-file.ts'
import { allowedReference, isRemote, refuseSecrets } from './reference.ts'
import { RemoteFiles } from './remote-files.ts'

/** How sources that lie in the store are written. */
export const storeScheme = 'store:'

interface Entry {
  readonly path: Promise<string>
  bytes: number
  users: number
}

/**
 * Files of documents that a message refers to, as local files. Only the store and the places of `inputs` are open to
 * a message: it may come from anybody who may write to the topic. Copies are kept by content up to `inputs.cacheBytes`.
 */
export class InputCache implements AsyncDisposable {
  readonly #config: Config
  readonly #store: BlobStore
  readonly #entries = new Map<string, Entry>()
  readonly #remote: RemoteFiles
  #folder: Promise<string> | undefined
  #bytes = 0

  constructor(config: Config, store: BlobStore, remote = new RemoteFiles(config)) {
    this.#config = config
    this.#remote = remote
    this.#store = store
  }

  /** Rejects with `input-forbidden`, `input-changed`, `document-not-found`, `document-too-large`, `store-failed`. */
  async use(source: DocumentSource): Promise<{ readonly path: string; release(): Promise<void> }> {
    if (source.bytes > this.#config.limits.maxDocumentBytes) {
      throw new PagestreamError('document-too-large', `fetching ${source.name}: its ${source.bytes} bytes are more than limits.maxDocumentBytes`)
    }
    if (!source.path.startsWith(storeScheme) && !isRemote(source.path)) return { path: await this.#allowedFile(source), release: async () => {} }
    const key = keyOf(source)
    const entry = this.#entries.get(key) ?? this.#fetch(source)
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    entry.users++
    try {
      const path = await entry.path
      return {
        path,
        release: async () => {
          entry.users--
          await this.#trim()
        },
      }
    } catch (error) {
      entry.users--
      throw error
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#entries.clear()
    if (this.#folder) await rm(await this.#folder, { recursive: true, force: true })
  }

  #fetch(source: DocumentSource): Entry {
    const entry: Entry = { path: this.#copy(source), bytes: source.bytes, users: 0 }
    this.#bytes += source.bytes
    entry.path.catch(() => this.#drop(keyOf(source), entry))
    this.#entries.set(keyOf(source), entry)
    return entry
  }

  async #copy(source: DocumentSource): Promise<string> {
    this.#folder ??= mkdtemp(join(tmpdir(), 'pagestream-inputs-'))
    const path = join(await this.#folder, randomUUID())
    if (isRemote(source.path)) {
      refuseSecrets(allowedReference(source.path, this.#config.inputs))
      await this.#remote.fetchTo(source.path, path)
    } else await this.#store.getToFile(source.path.slice(storeScheme.length), path, this.#config.limits.maxDocumentBytes)
    if ((await stat(path)).size === source.bytes && (await sha256OfFile(path)) === source.sha256) return path
    await rm(path, { force: true })
    throw new PagestreamError('input-changed', `fetching ${source.name}: its place holds other bytes than were submitted`)
  }

  async #allowedFile(source: DocumentSource): Promise<string> {
    const forbidden = () => new PagestreamError('input-forbidden', `fetching ${source.name}: its place is neither in the store nor one that inputs allows`)
    const asked = source.path.startsWith('file:') ? fileURLToPath(source.path) : source.path
    if (!isAbsolute(asked)) throw forbidden()
    const path = await realpath(asked).catch(() => undefined)
    for (const folder of this.#config.inputs.folders) {
      const root = await realpath(folder).catch(() => undefined)
      if (root === undefined) continue
      const inside = relative(root, path ?? asked)
      if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) continue
      if (path === undefined) throw new PagestreamError('document-not-found', `fetching ${source.name}: there is no such file`)
      const { size } = await stat(path)
      if (source.bytes !== size)
        throw new PagestreamError('input-changed', `fetching ${source.name}: the file has ${size} bytes, ${source.bytes} were submitted`)
      return path
    }
    throw forbidden()
  }

  async #trim(): Promise<void> {
    for (const [key, entry] of [...this.#entries]) {
      if (this.#bytes <= this.#config.inputs.cacheBytes) return
      if (entry.users > 0) continue
      this.#drop(key, entry)
      await rm(await entry.path, { force: true })
    }
  }

  #drop(key: string, entry: Entry): void {
    if (this.#entries.get(key) !== entry) return
    this.#entries.delete(key)
    this.#bytes -= entry.bytes
  }
}

/** What was checked against one message says nothing about another one that names the same place and other bytes. */
const keyOf = ({ path, sha256, bytes }: DocumentSource): string => `${sha256} ${bytes} ${path}`
