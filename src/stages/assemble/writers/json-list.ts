import type { WritableTextFile } from '../../../store/output-sink.ts'

/** Writes the members of a JSON array one at a time. */
export class JsonList {
  readonly #file: WritableTextFile
  #count = 0

  constructor(file: WritableTextFile) {
    this.#file = file
  }

  /** A member as its JSON text. */
  async add(json: string): Promise<void> {
    await this.#file.write(this.#count++ === 0 ? `\n${json}` : `,\n${json}`)
  }
}
