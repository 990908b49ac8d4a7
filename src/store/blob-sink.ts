import type { BlobStore } from './blob-store.ts'
import type { OutputSink, WritableTextFile } from './output-sink.ts'

/** The files of one document as objects below a prefix of a shared store. A streamed file is held until it is closed. */
export class BlobSink implements OutputSink {
  readonly #store: BlobStore
  readonly #prefix: string

  constructor(store: BlobStore, prefix: string) {
    this.#store = store
    this.#prefix = prefix
  }

  async write(path: string, bytes: Uint8Array | string): Promise<void> {
    await this.#store.put(`${this.#prefix}/${path}`, typeof bytes === 'string' ? Buffer.from(bytes) : bytes)
  }

  stream(path: string): WritableTextFile {
    const parts: Buffer[] = []
    return {
      write: async (text) => void parts.push(Buffer.from(text)),
      close: () => this.write(path, Buffer.concat(parts)),
      discard: async () => void parts.splice(0),
    }
  }
}
