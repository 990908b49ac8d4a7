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

/** Files of folders whose hash is remembered. */
const mostVerified = 1000

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
  /** Files of folders by path: what was found when they were hashed last. */
  readonly #verified = new Map<string, string>()
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
    } else await this.#fromStore(source, path)
    if ((await stat(path)).size === source.bytes && (await sha256OfFile(path)) === source.sha256) return path
    await rm(path, { force: true })
    throw new PagestreamError('input-changed', `fetching ${source.name}: its place holds other bytes than were submitted`)
  }

  async #fromStore(source: DocumentSource, path: string): Promise<void> {
    const key = source.path.slice(storeScheme.length)
    if (key === '' || key.startsWith('/') || key.includes('\0') || key.split(/[\\/]/).includes('..'))
      throw new PagestreamError('input-forbidden', `fetching ${source.name}: its place is no key of the store`)
    await this.#store.getToFile(key, path, this.#config.limits.maxDocumentBytes)
  }

  async #allowedFile(source: DocumentSource): Promise<string> {
    const forbidden = () => new PagestreamError('input-forbidden', `fetching ${source.name}: its place is neither in the store nor one that inputs allows`)
    const asked = localPath(source.path)
    if (asked === undefined || !isAbsolute(asked)) throw forbidden()
    const path = await realpath(asked).catch(() => undefined)
    for (const folder of this.#config.inputs.folders) {
      const root = await realpath(folder).catch(() => undefined)
      if (root === undefined) continue
      const inside = relative(root, path ?? asked)
      if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) continue
      if (path === undefined) throw new PagestreamError('document-not-found', `fetching ${source.name}: there is no such file`)
      await this.#verify(path, source)
      return path
    }
    throw forbidden()
  }

  /** A file of a folder is read where it lies: it is hashed once and again when its size or times have changed. */
  async #verify(path: string, { name, bytes, sha256 }: DocumentSource): Promise<void> {
    const { size, mtimeMs, ctimeMs, ino } = await stat(path)
    const seen = `${sha256} ${size} ${mtimeMs} ${ctimeMs} ${ino}`
    if (bytes === size && (this.#verified.get(path) === seen || (await sha256OfFile(path)) === sha256)) {
      this.#verified.delete(path)
      this.#verified.set(path, seen)
      const [oldest] = this.#verified.keys()
      if (oldest !== undefined && this.#verified.size > mostVerified) this.#verified.delete(oldest)
      return
    }
    throw new PagestreamError('input-changed', `fetching ${name}: its place holds other bytes than were submitted`)
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

/** Undefined for a URL that names no file of this machine. */
function localPath(path: string): string | undefined {
  if (!path.startsWith('file:')) return path
  try {
    return fileURLToPath(path)
  } catch {
    return undefined
  }
}

/** What was checked against one message says nothing about another one that names the same place and other bytes. */
const keyOf = ({ path, sha256, bytes }: DocumentSource): string => `${sha256} ${bytes} ${path}`
