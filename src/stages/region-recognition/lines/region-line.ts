import { overlapY, union } from '../../../geometry/box.ts'
import type { LineText } from '../../../runtime/text-reader.ts'
import type { Box } from '../../../schema/geometry.ts'
import { isCjkChar } from '../../../text/script.ts'
import { cleanText } from './clean-text.ts'
import type { ReadLine } from './read-line.ts'

/** A region as a line, `thickness` as in `ReadLine`; undefined when nothing stands in it: logos, rules and bullets look like writing to the finder. */
export function regionLine(read: LineText | undefined, box: Box, thickness: number): ReadLine | undefined {
  const text = latinPunctuation(cleanText(read?.text ?? '').trim())
  if (!read || text === '') return undefined
  return { box, text, spans: [{ text, marks: 0 }], confidence: read.confidence, thickness }
}

const fullWidth = /[\uff01-\uff5e]/u
const cjkLetter = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Readers trained on Chinese put full-width signs into other writing: a line without a Chinese or Japanese letter gets plain ones. */
function latinPunctuation(text: string): string {
  if (!fullWidth.test(text) || cjkLetter.test(text)) return text
  return text.replace(/[\uff0c\uff1b\uff1a\uff01\uff1f](?=\p{L})/gu, (sign) => `${plain(sign)} `).replace(/[\uff01-\uff5e]/gu, plain)
}

/** Full-width forms stand in the order of ASCII. */
const plain = (sign: string): string => String.fromCharCode(sign.charCodeAt(0) - 0xfee0)

/**
 * Joins regions that stand on one printed line, left to right: the finder breaks lines at wide gaps.
 * Vertical writing and lines of the text layer are left alone.
 */
export function joinOnBaseline(lines: readonly ReadLine[]): ReadLine[] {
  const joined: ReadLine[] = []
  for (const line of lines) {
    const before = joined.at(-1)
    if (before && isSamePrintedLine(before, line)) joined[joined.length - 1] = joinTwo(before, line)
    else joined.push(line)
  }
  return joined
}

function isSamePrintedLine(a: ReadLine, b: ReadLine): boolean {
  if (a.confidence === undefined || b.confidence === undefined) return false
  const lower = Math.min(a.box[3] - a.box[1], b.box[3] - b.box[1])
  return lower > 0 && overlapY(a.box, b.box) > 0.6 * lower && b.box[0] >= a.box[2] - 0.25 * (a.box[2] - a.box[0])
}

function joinTwo(a: ReadLine, b: ReadLine): ReadLine {
  const glue = isCjkChar(a.text.codePointAt(a.text.length - 1) ?? 0) && isCjkChar(b.text.codePointAt(0) ?? 0) ? '' : ' '
  const text = a.text + glue + b.text
  const weight = a.text.length / Math.max(1, a.text.length + b.text.length)
  const confidence = (a.confidence ?? 0) * weight + (b.confidence ?? 0) * (1 - weight)
  const thickness = Math.max(a.thickness ?? 0, b.thickness ?? 0)
  return { box: union(a.box, b.box), text, spans: [{ text, marks: 0 }], confidence, ...(thickness > 0 ? { thickness } : {}) }
}
