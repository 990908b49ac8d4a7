import type { ReadCharacter } from './ctc.ts'
import type { LineTensor } from './recognizer-input.ts'

export function lineText(read: readonly ReadCharacter[], _line: LineTensor, _steps: number): string {
  return read.map((character) => character.text).join('').trim()
}
