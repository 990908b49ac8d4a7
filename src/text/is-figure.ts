/** What a cell of figures holds: numbers with signs, separators, units and footnote marks, dates and codes of digits. */
const figure = /^[([<>=≤≥~≈±+\-−–—$€£¥₹%°*†‡§#/.,:;'’"\d\s)\]]*\d[\d\s.,:;/'’"()[\]+\-−–—±×%‰°$€£¥₹<>=≤≥~≈*†‡§#a-cA-CkKmMeEpxX]*$/u
/** What stands for a figure that is not there. */
const nothing = /^[-–—−.…*†‡\s]+$|^(?:n\/?a|n\.a\.|na|nil|none|null|x|tbd)$/iu
const longest = 40

/** Whether the text of a cell is a figure, or stands for one, rather than words; undefined for an empty text, which is neither. */
export function isFigure(text: string): boolean | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  return trimmed.length <= longest && (figure.test(trimmed) || nothing.test(trimmed))
}

/** A year or a range of years: a figure that heads columns as often as it fills them. */
export const isYear = (text: string): boolean => /^(?:fy\s*)?(?:1[5-9]|20)\d\d(?:\s*[-–/]\s*\d{2,4})?[a-e*†‡]?$/iu.test(text.trim())
