import { height, width } from '../../../geometry/box.ts'
import { printed } from './flow-text.ts'
import type { ReadLine } from './read-line.ts'

/** More blank lines or columns than this stand for white on the page rather than in the code. */
const maxBlankLines = 2
const maxIndent = 80

/**
 * Lines of code with their breaks, and their indents as blanks: the left edge of each line against the leftmost,
 * in widths of a character. A gap of a line's height or more between two lines becomes an empty line.
 *
 */
export function codeText(lines: readonly ReadLine[]): string {
  const cell = characterWidth(lines)
  const left = Math.min(...lines.map((line) => line.box[0]))
  const pitch = linePitch(lines)
  const out: string[] = []
  let before: ReadLine | undefined
  for (const line of lines) {
    if (before && pitch > 0) {
      const empty = Math.round((line.box[1] - before.box[1]) / pitch) - 1
      for (let i = 0; i < Math.min(empty, maxBlankLines); i++) out.push('')
    }
    const indent = cell > 0 ? Math.min(maxIndent, Math.round((line.box[0] - left) / cell)) : 0
    out.push(' '.repeat(Math.max(0, indent)) + printed(line.text))
    before = line
  }
  return out.join('\n')
}

/** The median over the lines, as code is set in type of one width. */
function characterWidth(lines: readonly ReadLine[]): number {
  return median(lines.filter((line) => line.text.length > 2).map((line) => width(line.box) / line.text.length))
}

function linePitch(lines: readonly ReadLine[]): number {
  const steps: number[] = []
  for (let i = 1; i < lines.length; i++) {
    const [a, b] = [lines[i - 1], lines[i]]
    if (a && b && b.box[1] > a.box[1] + 0.3 * height(a.box)) steps.push(b.box[1] - a.box[1])
  }
  return median(steps)
}

function median(values: number[]): number {
  values.sort((a, b) => a - b)
  return values[values.length >> 1] ?? 0
}
