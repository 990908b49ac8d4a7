import { closeSync, fstatSync, ftruncateSync, openSync, readSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { PagestreamError } from '../schema/failure.ts'
import { systemCode } from '../schema/reason.ts'
import { makeFolder } from './make-folder.ts'
import { orStoreFailedSync } from './store-failed.ts'
import { writeAll } from './write-all.ts'

/** Longest head of a record. Names are short; a longer head is damage. */
const maxHeadBytes = 512
const headPattern = /^(\d{1,10}) ([^\n]*)\n/

interface Place {
  readonly offset: number
  readonly bytes: number
}

/**
 * Named texts in one file that only grows: each is a record `<bytes> <name>\n<text>\n`, and one of 0 bytes takes its name back.
 * One handle, one write a text, and an index in memory that is read once, at the beginning. A record that a crash has cut off is dropped;
 * those before it stand. A file belongs to one process at a time. Errors are `store-failed`.
 *
 * Calls block: a write goes to the cache of the operating system, which takes less time than handing it to another thread.
 */
export class Journal {
  readonly #path: string
  /** None as long as nothing was written: looking for a text makes no file. */
  #file: number | undefined
  readonly #places = new Map<string, Place>()
  /** Where the next record goes: the end of the last whole one. */
  #end = 0

  /** Reads what an earlier run has left there. */
  constructor(path: string) {
    this.#path = path
    this.#orFailed('opening', () => {
      this.#file = orMissing(() => openSync(path, 'r+'))
      if (this.#file !== undefined) this.#readIndex(this.#file)
    })
  }

  names(): Iterable<string> {
    return this.#places.keys()
  }

  has(name: string): boolean {
    return this.#places.has(name)
  }

  /** Writes a text unless the name has one: true when this call wrote it. The first writer wins. */
  putIfAbsent(name: string, text: string): boolean {
    if (this.#places.has(name)) return false
    this.#append(name, text)
    return true
  }

  /** The text of a name, undefined when it has none or the file has been cut. */
  get(name: string): string | undefined {
    const file = this.#file
    const place = this.#places.get(name)
    if (file === undefined || !place) return undefined
    const buffer = Buffer.allocUnsafe(place.bytes)
    const read = this.#orFailed('reading', () => readSync(file, buffer, 0, place.bytes, place.offset))
    return read === place.bytes ? buffer.toString('utf8') : undefined
  }

  /** Takes the text of a name back. */
  delete(name: string): void {
    if (this.#places.has(name)) this.#append(name, '')
  }

  close(): void {
    const file = this.#file
    this.#file = undefined
    this.#places.clear()
    if (file !== undefined) this.#orFailed('closing', () => closeSync(file))
  }

  /** Closes and deletes the file. */
  remove(): void {
    if (this.#file === undefined) return
    this.close()
    this.#orFailed('deleting', () => rmSync(this.#path, { force: true }))
  }

  #append(name: string, text: string): void {
    const bytes = Buffer.byteLength(text)
    const head = `${bytes} ${name}\n`
    const headBytes = Buffer.byteLength(head)
    if (name.includes('\n') || headBytes > maxHeadBytes) throw new PagestreamError('internal', `writing ${this.#path}: a name is too long or has a line break`)
    const record = Buffer.from(`${head}${text}\n`)
    this.#orFailed('writing', () => {
      this.#file ??= create(this.#path)
      write(this.#file, record, this.#end)
    })
    if (bytes > 0) this.#places.set(name, { offset: this.#end + headBytes, bytes })
    else this.#places.delete(name)
    this.#end += record.length
  }

  /** Hops from head to head; ends at the first record that is not whole, and cuts the file there. */
  #readIndex(file: number): void {
    const buffer = Buffer.alloc(maxHeadBytes)
    const { size } = fstatSync(file)
    while (this.#end < size) {
      const bytesRead = readSync(file, buffer, 0, maxHeadBytes, this.#end)
      const [head, length, name] = headPattern.exec(buffer.toString('utf8', 0, bytesRead)) ?? []
      if (head === undefined || name === undefined) break
      const place = { offset: this.#end + Buffer.byteLength(head), bytes: Number(length) }
      const next = place.offset + place.bytes + 1
      if (next > size) break
      if (place.bytes > 0) this.#places.set(name, place)
      else this.#places.delete(name)
      this.#end = next
    }
    if (this.#end < size) ftruncateSync(file, this.#end)
  }

  #orFailed<T>(doing: string, call: () => T): T {
    return orStoreFailedSync(`${doing} ${this.#path}`, call)
  }
}

/** Writes all of it at the place or, as far as can be seen, nothing. */
function write(file: number, bytes: Uint8Array, place: number): void {
  try {
    writeAll(file, bytes, place)
  } catch (error) {
    try {
      ftruncateSync(file, place)
    } catch {} // the next record is written over it
    throw error
  }
}

function create(path: string): number {
  const file = orMissing(() => openSync(path, 'wx+'))
  if (file !== undefined) return file
  makeFolder(dirname(path))
  return openSync(path, 'wx+')
}

function orMissing<T>(call: () => T): T | undefined {
  try {
    return call()
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}
