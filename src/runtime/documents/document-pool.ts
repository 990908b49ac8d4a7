import type { Config } from '../../config/config.ts'
import type { DocumentSource } from '../../schema/page.ts'
import type { DocumentReader, Documents, OpenDocument } from '../document-reader.ts'

/** One document: opened or being opened, and by how many it is used. */
interface Entry {
  readonly document: Promise<OpenDocument>
  users: number
  released: boolean
}

/**
 * Keeps documents open between uses, at most `limits.openDocuments`: the one whose last use is longest ago is closed for
 * a new one. A document in use is never closed; when all are in use, a new one waits for none and the bound is passed
 * for as long as the uses last, so that stages cannot lock each other out.
 */
export function documentPool(reader: DocumentReader, config: Config, password: (source: DocumentSource) => string | undefined): Documents {
  return new OpenDocumentCache(reader, config.limits.openDocuments, password)
}

class OpenDocumentCache implements Documents {
  private readonly reader: DocumentReader
  private readonly limit: number
  private readonly password: (source: DocumentSource) => string | undefined
  /** In order of last use. */
  private readonly entries = new Map<string, Entry>()

  constructor(reader: DocumentReader, limit: number, password: (source: DocumentSource) => string | undefined) {
    this.reader = reader
    this.limit = limit
    this.password = password
  }

  async use<T>(source: DocumentSource, action: (document: OpenDocument) => Promise<T>): Promise<T> {
    const entry = this.entry(source)
    entry.users++
    try {
      return await action(await entry.document)
    } finally {
      entry.users--
      if (entry.released && entry.users === 0) await this.drop(keyOf(source), entry)
      else await this.trim()
    }
  }

  async release(source: DocumentSource): Promise<void> {
    const entry = this.entries.get(keyOf(source))
    if (!entry) return
    entry.released = true
    if (entry.users === 0) await this.drop(keyOf(source), entry)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const open = [...this.entries]
    this.entries.clear()
    await Promise.all(open.map(([, entry]) => close(entry)))
  }

  private entry(source: DocumentSource): Entry {
    const known = this.entries.get(keyOf(source))
    if (known) {
      this.entries.delete(keyOf(source))
      this.entries.set(keyOf(source), known)
      known.released = false
      return known
    }
    const password = this.password(source)
    const document = this.reader.open(source, password === undefined ? {} : { password })
    const made: Entry = { document, users: 0, released: false }
    this.entries.set(keyOf(source), made)
    // What cannot be opened is not kept: the file may be mended.
    document.catch(() => {
      if (this.entries.get(keyOf(source)) === made) this.entries.delete(keyOf(source))
    })
    return made
  }

  private async trim(): Promise<void> {
    if (this.entries.size <= this.limit) return
    for (const [key, entry] of [...this.entries]) {
      if (this.entries.size <= this.limit) return
      if (entry.users === 0) await this.drop(key, entry)
    }
  }

  private async drop(key: string, entry: Entry): Promise<void> {
    if (this.entries.get(key) === entry) this.entries.delete(key)
    await close(entry)
  }
}

/** Two messages may name one place and other bytes: what became of one says nothing about the other. */
const keyOf = ({ path, sha256, bytes }: DocumentSource): string => `${sha256} ${bytes} ${path}`

async function close(entry: Entry): Promise<void> {
  const document = await entry.document.catch(() => undefined)
  await document?.[Symbol.asyncDispose]()
}
