import { StyleTally } from '../style-tally.ts'
import type { Atom, PageGeometry } from './page-geometry.ts'

/** How the running text of a page looks: what headings, notes and captions differ from. */
export interface BodyLook {
  readonly sizePt: number
  readonly bold: boolean
  readonly italic: boolean
  readonly monospace: boolean
  readonly font: string
  /** Characters that the answer rests on. */
  readonly chars: number
}

/** Fewer characters of one size are no running text to judge others by. */
const enoughChars = 300

/** The look of most characters, sizes taken to the nearest quarter point; for regions the median of their sizes. */
export function bodyLook(page: PageGeometry): BodyLook {
  const tally = new StyleTally()
  for (const word of page.words) if (word.hidden !== 'tiny' && word.hidden !== 'off-page') tally.add(word.style, word.text.length)
  const sizes = new Map<number, number>()
  const fonts = new Map<string, number>()
  let [chars, bold, italic, monospace] = [0, 0, 0, 0]
  for (const [index, length] of tally.entries()) {
    const style = page.styles[index]
    if (!style) continue
    chars += length
    const size = Math.round(style.sizePt * 4) / 4
    sizes.set(size, (sizes.get(size) ?? 0) + length)
    fonts.set(style.font, (fonts.get(style.font) ?? 0) + length)
    if (style.bold) bold += length
    if (style.italic) italic += length
    if (style.monospace) monospace += length
  }
  const regions = page.atoms.filter((a) => a.region !== undefined)
  const isRead = regions.length > 0 && page.atoms.length < regions.length * 2
  return {
    sizePt: isRead ? regionSize(regions) : mainSize(sizes),
    bold: bold * 2 > chars,
    italic: italic * 2 > chars,
    monospace: monospace * 5 > chars * 3,
    font: most(fonts) ?? '',
    chars,
  }
}

/** The size of most characters; on a page full of notes or references the larger of the two that share it. */
function mainSize(sizes: ReadonlyMap<number, number>): number {
  const top = Math.max(0, ...sizes.values())
  // A title page has no running text: the smallest size that is not a mere trace stands for it.
  if (top < enoughChars) return Math.min(...[...sizes].filter(([, count]) => count > 0.3 * top).map(([size]) => size), sizes.size === 0 ? 10 : Infinity)
  const common = [...sizes].filter(([, count]) => count > 0.4 * top).map(([size]) => size)
  return common.length > 0 ? Math.max(...common) : 10
}

/** Half of all the writing, by length, is smaller than this. */
function regionSize(regions: readonly Atom[]): number {
  const sorted = regions.map((a) => [a.sizePt, Math.max(a.box[2] - a.box[0], a.box[3] - a.box[1])] as const).sort((a, b) => a[0] - b[0])
  const half = sorted.reduce((sum, [, length]) => sum + length, 0) / 2
  let passed = 0
  for (const [size, length] of sorted) {
    passed += length
    if (passed >= half) return size
  }
  return 10
}

function most<K>(counts: ReadonlyMap<K, number>): K | undefined {
  let best: K | undefined
  let top = -1
  for (const [key, count] of counts) {
    if (count > top) {
      best = key
      top = count
    }
  }
  return best
}
