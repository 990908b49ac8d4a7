import type { Word } from '../../../schema/text-layer.ts'
import { isRightToLeft, scriptOf } from '../../../text/script.ts'

/**
 * Reading order of the words of a right-to-left line: from right to left, while runs of Latin words and numbers
 * keep their own direction (the embedding levels of UAX #9, for whole words).
 *
 * @param words indices, any order.
 */
export function orderRightToLeft(words: readonly number[], all: readonly Word[]): number[] {
  const sorted = [...words].sort((a, b) => (all[b]?.box[2] ?? 0) - (all[a]?.box[2] ?? 0))
  const ordered: number[] = []
  let run: number[] = []
  for (const index of sorted) {
    if (isLeftToRight(all[index]?.text ?? '')) run.unshift(index)
    else {
      ordered.push(...run, index)
      run = []
    }
  }
  ordered.push(...run)
  return ordered
}

/** Words of Latin letters; a number alone or a sign goes with the line. */
function isLeftToRight(text: string): boolean {
  if (isRightToLeft(text)) return false
  for (let i = 0; i < text.length; i++) if (scriptOf(text.codePointAt(i) ?? 0) !== undefined) return true
  return false
}
