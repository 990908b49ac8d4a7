import { EqualElements } from './equal-elements.ts'
import { ExactRepeats } from './exact-repeats.ts'
import { MissingMark } from './missing-mark.ts'
import { NearEqualLines } from './near-equal-lines.ts'
import { RepeatedBoxes } from './repeated-boxes.ts'
import type { Watcher } from './watcher.ts'

export interface GuardOptions {
  /** Characters of the longest answer. */
  readonly mostCharacters: number
  /** For layouts: what each of their elements begins with. One comes at once, and no two of an honest layout are equal. */
  readonly element?: string
  /** For answers with lines of text. Not for layouts, whose lines differ by nothing but their boxes. */
  readonly lines?: boolean
  /** For answers of `<|det|>` blocks. */
  readonly boxes?: boolean
}

/** Why a guard has had enough. */
export type GuardReason = 'too-long' | 'missing-mark' | 'equal-elements' | 'near-equal-lines' | 'repeated-boxes' | 'exact-repeats'

export interface Guard {
  /** The next piece of the answer. 'enough', then and from then on, once it goes round in circles or is too long. */
  push(piece: string): 'enough' | undefined
  /** Characters (UTF-16) of the answer that are worth reading: set once it is enough. */
  readonly cutAt: number | undefined
  readonly reason: GuardReason | undefined
}

/**
 * Listens to an answer as it comes, for every engine: those that keep models from repeating themselves do so token for token only, and some do not at
 * all. Memory is bounded, work for each character too.
 */
export function openGuard({ mostCharacters, element, lines = false, boxes = false }: GuardOptions): Guard {
  const watchers: [GuardReason, Watcher][] = [['exact-repeats', new ExactRepeats()]]
  const mark = element ?? (boxes ? '<|det|>' : undefined)
  if (mark !== undefined) watchers.push(['missing-mark', new MissingMark(mark)])
  if (element !== undefined) watchers.push(['equal-elements', new EqualElements(element)])
  if (lines) watchers.push(['near-equal-lines', new NearEqualLines()])
  if (boxes) watchers.push(['repeated-boxes', new RepeatedBoxes()])
  let length = 0
  let cutAt: number | undefined
  let reason: GuardReason | undefined
  return {
    push(piece) {
      if (cutAt !== undefined) return 'enough'
      const heard = piece.slice(0, mostCharacters - length)
      for (const [name, watcher] of watchers) {
        const at = watcher.hear(heard, length)
        if (at === undefined || at >= (cutAt ?? Infinity)) continue
        cutAt = at
        reason = name
      }
      length += heard.length
      if (cutAt === undefined && heard.length < piece.length) {
        cutAt = length
        reason = 'too-long'
      }
      return cutAt === undefined ? undefined : 'enough'
    },
    get cutAt() {
      return cutAt
    },
    get reason() {
      return reason
    },
  }
}

/** The first `cutAt` characters, less half a character at the end. */
export const upTo = (answer: string, cutAt: number): string => answer.slice(0, cutAt).replace(/[\ud800-\udbff]$/, '')
