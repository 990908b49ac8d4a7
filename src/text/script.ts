/** Writing systems that change how text is joined, ordered or read. `other` is a letter of none of these. */
export const scripts = ['latin', 'cyrillic', 'greek', 'han', 'kana', 'hangul', 'arabic', 'hebrew', 'thai', 'devanagari', 'other'] as const
export type Script = (typeof scripts)[number]

type Range = readonly [from: number, to: number, script: Script]

/** Blocks of the Unicode standard, ascending; only those of letters, so that digits and punctuation belong to no script. */
const ranges: readonly Range[] = [
  [0x41, 0x5a, 'latin'],
  [0x61, 0x7a, 'latin'],
  [0xaa, 0xaa, 'latin'],
  [0xba, 0xba, 'latin'],
  [0xc0, 0xd6, 'latin'],
  [0xd8, 0xf6, 'latin'],
  [0xf8, 0x24f, 'latin'],
  [0x250, 0x2af, 'latin'],
  [0x370, 0x3ff, 'greek'],
  [0x400, 0x52f, 'cyrillic'],
  [0x531, 0x58a, 'other'],
  [0x591, 0x5f4, 'hebrew'],
  [0x600, 0x6ff, 'arabic'],
  [0x700, 0x74f, 'other'],
  [0x750, 0x77f, 'arabic'],
  [0x780, 0x89f, 'other'],
  [0x8a0, 0x8ff, 'arabic'],
  [0x900, 0x97f, 'devanagari'],
  [0x980, 0xdff, 'other'],
  [0xe01, 0xe3a, 'thai'],
  [0xe40, 0xe4e, 'thai'],
  [0xe80, 0x10ff, 'other'],
  [0x1100, 0x11ff, 'hangul'],
  [0x1200, 0x1cff, 'other'],
  [0x1d00, 0x1dbf, 'latin'],
  [0x1e00, 0x1eff, 'latin'],
  [0x1f00, 0x1fff, 'greek'],
  [0x2e80, 0x2fdf, 'han'],
  [0x3005, 0x3007, 'han'],
  [0x3041, 0x30ff, 'kana'],
  [0x3105, 0x312f, 'han'],
  [0x3131, 0x318e, 'hangul'],
  [0x31f0, 0x31ff, 'kana'],
  [0x3400, 0x4dbf, 'han'],
  [0x4e00, 0x9fff, 'han'],
  [0xa000, 0xabff, 'other'],
  [0xac00, 0xd7af, 'hangul'],
  [0xf900, 0xfaff, 'han'],
  [0xfb00, 0xfb06, 'latin'],
  [0xfb1d, 0xfb4f, 'hebrew'],
  [0xfb50, 0xfdff, 'arabic'],
  [0xfe70, 0xfefc, 'arabic'],
  [0xff21, 0xff3a, 'latin'],
  [0xff41, 0xff5a, 'latin'],
  [0xff66, 0xff9f, 'kana'],
  [0x10000, 0x1ffff, 'other'],
  [0x20000, 0x3134f, 'han'],
]

/** The script of a letter; undefined for digits, punctuation, white space and symbols. */
export function scriptOf(codePoint: number): Script | undefined {
  if (codePoint < 0x80) return isAsciiLetter(codePoint) ? 'latin' : undefined
  let low = 0
  let high = ranges.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const range = ranges[middle]
    if (!range) return undefined
    if (codePoint < range[0]) high = middle - 1
    else if (codePoint > range[1]) low = middle + 1
    else return range[2]
  }
  return undefined
}

/** Letters looked at before the answer is given: enough to be sure, and a bound on long text. */
const sampleLength = 2000

/** The script of most letters of the text (its first 2000 characters); undefined without letters. */
export function dominantScript(text: string): Script | undefined {
  const counts = new Map<Script, number>()
  const end = Math.min(text.length, sampleLength)
  for (let i = 0; i < end; i++) {
    const code = text.codePointAt(i) ?? 0
    if (code > 0xffff) i++
    const script = scriptOf(code)
    if (script) counts.set(script, (counts.get(script) ?? 0) + 1)
  }
  let best: Script | undefined
  let most = 0
  for (const [script, count] of counts) {
    if (count > most) {
      best = script
      most = count
    }
  }
  return best
}

/** Whether a character is set in the square grid of Chinese and Japanese: ideographs, kana and their punctuation. Hangul is not: it is spaced. */
export function isCjkChar(codePoint: number): boolean {
  if (codePoint < 0x2e80) return false
  if (codePoint >= 0x3000 && codePoint <= 0x303f) return true
  if (codePoint >= 0xff00 && codePoint <= 0xff65) return codePoint <= 0xff0f || codePoint >= 0xff1a
  if (codePoint >= 0xfe30 && codePoint <= 0xfe4f) return true
  const script = scriptOf(codePoint)
  return script === 'han' || script === 'kana'
}

/** Whether most letters are Chinese or Japanese. */
export function isCjk(text: string): boolean {
  const script = dominantScript(text)
  return script === 'han' || script === 'kana'
}

/** Whether most letters run from right to left. */
export function isRightToLeft(text: string): boolean {
  const script = dominantScript(text)
  return script === 'arabic' || script === 'hebrew'
}

/** Whether blanks stand between words of the script. Thai is written without; so are Chinese and Japanese. */
export const usesSpaces = (script: Script): boolean => script !== 'han' && script !== 'kana' && script !== 'thai'

const isAsciiLetter = (code: number): boolean => (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
