import type { Box } from '../../../../schema/geometry.ts'

/** What stands between `<|det|>` and `<|/det|>`. */
export interface DetHead {
  /** In lower case; `text` where none is given. */
  readonly type: string
  /** Fractions of the page. */
  readonly box: Box
}

/** Longer ones are none. */
export const longestHead = 160

const number = String.raw`\s*(-?\d{1,6})(?:\.\d{1,6})?\s*`
const head = new RegExp(String.raw`^\s*([\p{L}_][\p{L}\p{N}_-]{0,63})?\s*\[{1,2}${number},${number},${number},${number}\]{1,2}\s*$`, 'u')

const onPage = (thousandths: string | undefined): number => Math.min(1000, Math.max(0, Number(thousandths))) / 1000

/** Thousandths beyond the page are taken back to it, sides in the wrong order are swapped. Undefined where no box with an area remains. */
export function detHead(text: string, refType: string | undefined): DetHead | undefined {
  const match = text.length > longestHead ? null : head.exec(text)
  if (match === null) return undefined
  const [, type, ...sides] = match
  const [ax = 0, ay = 0, bx = 0, by = 0] = sides.map(onPage)
  const box: Box = [Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)]
  if (box[0] === box[2] || box[1] === box[3]) return undefined
  return { type: (type ?? refType ?? 'text').toLowerCase(), box }
}
