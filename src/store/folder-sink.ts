import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from './make-folder.ts'
import type { OutputSink, WritableTextFile } from './output-sink.ts'
import { pathBelow } from './path-below.ts'
import { orStoreFailed } from './store-failed.ts'

/** Text gathered before it is written: few system calls, little memory. */
const bufferChars = 64 * 1024

/** Files below one folder. Each appears whole: it is written under another name and renamed. Errors are `store-failed`. */
export class FolderSink implements OutputSink {
  readonly #root: string
  readonly #folders = new Set<string>()

  constructor(root: string) {
    this.#root = root
  }

  async write(path: string, bytes: Uint8Array | string): Promise<void> {
    const { target, draft } = await this.#place(path)
    await orStoreFailed(`writing ${path}`, async () => {
      await writeFile(draft, bytes)
      await rename(draft, target)
    })
  }

  stream(path: string): WritableTextFile {
    return new FileStream(path, this.#place(path))
  }

  async #place(path: string): Promise<{ target: string; draft: string }> {
    const target = pathBelow(this.#root, path)
    const folder = dirname(target)
    if (!this.#folders.has(folder)) {
      await makeFolder(folder)
      this.#folders.add(folder)
    }
    return { target, draft: join(folder, `.draft-${randomUUID()}`) }
  }
}

class FileStream implements WritableTextFile {
  readonly #path: string
  readonly #place: Promise<{ target: string; draft: string }>
  #file: FileHandle | undefined
  #buffer: string[] = []
  #chars = 0

  constructor(path: string, place: Promise<{ target: string; draft: string }>) {
    this.#path = path
    this.#place = place
    place.catch(() => {}) // reported by the first write or close
  }

  async write(text: string): Promise<void> {
    this.#buffer.push(text)
    this.#chars += text.length
    if (this.#chars >= bufferChars) await this.#flush()
  }

  async close(): Promise<void> {
    await this.#flush()
    const { target, draft } = await this.#place
    await orStoreFailed(`writing ${this.#path}`, async () => {
      await this.#file?.close()
      await rename(draft, target)
    })
  }

  async discard(): Promise<void> {
    const place = await this.#place.catch(() => undefined)
    await this.#file?.close().catch(() => {})
    if (place) await rm(place.draft, { force: true })
  }

  async #flush(): Promise<void> {
    const { draft } = await this.#place
    await orStoreFailed(`writing ${this.#path}`, async () => {
      this.#file ??= await open(draft, 'w')
      const text = this.#buffer.join('')
      this.#buffer = []
      this.#chars = 0
      if (text) await this.#file.writeFile(text)
    })
  }
}
