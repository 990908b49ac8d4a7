import { randomUUID } from 'node:crypto'
import { closeSync, openSync, renameSync, rmSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from './make-folder.ts'
import type { OutputSink, WritableTextFile } from './output-sink.ts'
import { pathBelow } from './path-below.ts'
import { orStoreFailed, orStoreFailedSync } from './store-failed.ts'
import { writeAll } from './write-all.ts'

/** Text gathered before it is written: few system calls, little memory. */
const bufferChars = 64 * 1024

/** Where a file will be, and where it is until it is whole. */
interface Place {
  readonly target: string
  readonly draft: string
}

/** Files below one folder. Each appears whole: it is written under another name and renamed. Errors are `store-failed`. */
export class FolderSink implements OutputSink {
  readonly #root: string
  readonly #folders = new Set<string>()

  constructor(root: string) {
    this.#root = root
  }

  async write(path: string, bytes: Uint8Array | string): Promise<void> {
    const { target, draft } = this.#place(path)
    await orStoreFailed(`writing ${path}`, async () => {
      await writeFile(draft, bytes)
      await rename(draft, target)
    })
  }

  stream(path: string): WritableTextFile {
    return new FileStream(path, () => this.#place(path))
  }

  #place(path: string): Place {
    const target = pathBelow(this.#root, path)
    const folder = dirname(target)
    if (!this.#folders.has(folder)) {
      makeFolder(folder)
      this.#folders.add(folder)
    }
    return { target, draft: join(folder, `.draft-${randomUUID()}`) }
  }
}

/** Writes block: a piece goes to the cache of the operating system, which takes less time than handing it to another thread. */
class FileStream implements WritableTextFile {
  readonly #path: string
  readonly #placeOf: () => Place
  #file: number | undefined
  /** From the first write until the file has its name or was given up. */
  #place: Place | undefined
  #bytes = 0
  #buffer: string[] = []
  #chars = 0

  constructor(path: string, placeOf: () => Place) {
    this.#path = path
    this.#placeOf = placeOf
  }

  async write(text: string): Promise<void> {
    this.#buffer.push(text)
    this.#chars += text.length
    if (this.#chars >= bufferChars) this.#flush()
  }

  async close(): Promise<void> {
    const { target, draft } = this.#flush()
    this.#closeFile()
    orStoreFailedSync(`writing ${this.#path}`, () => renameSync(draft, target))
    this.#place = undefined
  }

  async discard(): Promise<void> {
    this.#closeFile()
    if (this.#place) rmSync(this.#place.draft, { force: true })
    this.#place = undefined
  }

  #flush(): Place {
    return orStoreFailedSync(`writing ${this.#path}`, () => {
      this.#place ??= this.#placeOf()
      this.#file ??= openSync(this.#place.draft, 'w')
      const bytes = Buffer.from(this.#buffer.join(''))
      this.#buffer = []
      this.#chars = 0
      writeAll(this.#file, bytes, this.#bytes)
      this.#bytes += bytes.length
      return this.#place
    })
  }

  #closeFile(): void {
    const file = this.#file
    this.#file = undefined
    if (file !== undefined) orStoreFailedSync(`writing ${this.#path}`, () => closeSync(file))
  }
}
