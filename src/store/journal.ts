import { type FileHandle, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PagestreamError } from '../schema/failure.ts'
import { systemCode } from '../schema/reason.ts'
import { makeFolder } from './make-folder.ts'
import { orStoreFailed } from './store-failed.ts'

/** Longest head of a record. Names are short; a longer head is damage. */
const maxHeadBytes = 512
const headPattern = /^(\d{1,10}) ([^\n]*)\n/

interface Place {
  readonly offset: number
  readonly bytes: number
}

interface Index {
  readonly places: Map<string, Place>
  readonly end: number
}

/**
 * Named texts in one file that only grows: each is a record `<bytes> <name>\n<text>\n`, and one of 0 bytes takes its name back.
 * One handle, one write a text, and an index in memory that is read once, when the file is opened. A record that a crash has cut off
 * is dropped; those before it stand. A file belongs to one process at a time. Errors are `store-failed`.
 */
export class Journal {
  readonly #path: string
  /** None as long as nothing was written: looking for a text makes no file. */
  #file: FileHandle | undefined
  readonly #places: Map<string, Place>
  /** Where the next record goes: the end of the last whole one. */
  #end: number
  #last: Promise<unknown> = Promise.resolve()

  private constructor(path: string, file: FileHandle | undefined, { places, end }: Index) {
    this.#path = path
    this.#file = file
    this.#places = places
    this.#end = end
  }

  /** Reads what an earlier run has left there. */
  static async open(path: string): Promise<Journal> {
    return orStoreFailed(`opening ${path}`, async () => {
      const file = await open(path, 'r+').catch(unlessMissing)
      try {
        return new Journal(path, file, file ? await readIndex(file) : { places: new Map(), end: 0 })
      } catch (error) {
        await file?.close()
        throw error
      }
    })
  }

  has(name: string): boolean {
    return this.#places.has(name)
  }

  /** Writes a text unless the name has one: true when this call wrote it. The first writer wins. */
  putIfAbsent(name: string, text: string): Promise<boolean> {
    return this.#inTurn(async () => {
      if (this.#places.has(name)) return false
      await this.#append(name, text)
      return true
    })
  }

  /** The text of a name, undefined when it has none or the file has been cut. */
  async get(name: string): Promise<string | undefined> {
    const file = this.#file
    const place = this.#places.get(name)
    if (!file || !place) return undefined
    return orStoreFailed(`reading ${this.#path}`, async () => {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(place.bytes), 0, place.bytes, place.offset)
      return bytesRead === place.bytes ? buffer.toString('utf8') : undefined
    })
  }

  /** Takes the text of a name back. */
  async delete(name: string): Promise<void> {
    await this.#inTurn(async () => {
      if (this.#places.has(name)) await this.#append(name, '')
    })
  }

  async close(): Promise<void> {
    await this.#inTurn(() => orStoreFailed(`closing ${this.#path}`, async () => this.#file?.close()))
  }

  /** Closes and deletes the file. */
  async remove(): Promise<void> {
    await this.close()
    if (this.#file) await orStoreFailed(`deleting ${this.#path}`, () => rm(this.#path, { force: true }))
  }

  /** Changes are made one after another, so that no two of them write to the same place. */
  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(change)
    this.#last = turn.catch(() => {})
    return turn
  }

  async #append(name: string, text: string): Promise<void> {
    const bytes = Buffer.byteLength(text)
    const head = `${bytes} ${name}\n`
    const headBytes = Buffer.byteLength(head)
    if (name.includes('\n') || headBytes > maxHeadBytes) throw new PagestreamError('internal', `writing ${this.#path}: a name is too long or has a line break`)
    const record = Buffer.from(`${head}${text}\n`)
    await orStoreFailed(`writing ${this.#path}`, () => this.#write(record))
    if (bytes > 0) this.#places.set(name, { offset: this.#end + headBytes, bytes })
    else this.#places.delete(name)
    this.#end += record.length
  }

  /** Writes the whole record or, as far as can be seen, nothing of it. */
  async #write(record: Buffer): Promise<void> {
    this.#file ??= await create(this.#path)
    const file = this.#file
    try {
      for (let done = 0; done < record.length; ) {
        const { bytesWritten } = await file.write(record, done, record.length - done, this.#end + done)
        done += bytesWritten
      }
    } catch (error) {
      await file.truncate(this.#end).catch(() => {})
      throw error
    }
  }
}

async function create(path: string): Promise<FileHandle> {
  const file = await open(path, 'wx+').catch(unlessMissing)
  if (file) return file
  await makeFolder(dirname(path))
  return open(path, 'wx+')
}

function unlessMissing(error: unknown): undefined {
  if (systemCode(error) !== 'ENOENT') throw error
}

/** Hops from head to head; ends at the first record that is not whole, and cuts the file there. */
async function readIndex(file: FileHandle): Promise<Index> {
  const places = new Map<string, Place>()
  const head = Buffer.alloc(maxHeadBytes)
  let end = 0
  const { size } = await file.stat()
  while (end < size) {
    const { bytesRead } = await file.read(head, 0, maxHeadBytes, end)
    const [line, length, name] = headPattern.exec(head.toString('utf8', 0, bytesRead)) ?? []
    if (line === undefined || name === undefined) break
    const place = { offset: end + Buffer.byteLength(line), bytes: Number(length) }
    const next = place.offset + place.bytes + 1
    if (next > size) break
    if (place.bytes > 0) places.set(name, place)
    else places.delete(name)
    end = next
  }
  if (end < size) await file.truncate(end)
  return { places, end }
}
