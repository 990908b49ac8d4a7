import type { OutputSink, WritableTextFile } from '../../src/store/output-sink.ts'

/** Outputs in memory; a file appears when it is closed. */
export class MemorySink implements OutputSink {
  readonly files = new Map<string, string>()
  readonly discarded: string[] = []

  async write(path: string, bytes: Uint8Array | string): Promise<void> {
    this.files.set(path, typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8'))
  }

  stream(path: string): WritableTextFile {
    const pieces: string[] = []
    return {
      write: async (text) => void pieces.push(text),
      close: async () => void this.files.set(path, pieces.join('')),
      discard: async () => void this.discarded.push(path),
    }
  }

  text(path: string): string {
    const text = this.files.get(path)
    if (text === undefined) throw new Error(`no ${path}; there is ${[...this.files.keys()].join(', ')}`)
    return text
  }
}
