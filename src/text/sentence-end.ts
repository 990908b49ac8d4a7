/** Full stops, question and exclamation marks of many scripts; the Latin full stop is judged apart. */
const enders = new Set('!?…。！？｡．؟۔।॥։።፧။៕‽⁇⁈⁉')

/** What may follow the end of a sentence: closing quotes and brackets, and marks of footnotes. */
const closing = /[\s"'”’»«›‹“)\]}』」）】〉》¹²³⁰⁴-⁹†‡*]+$/u

/** Shortenings that are followed by more of the sentence. */
const abbreviation =
  /(?:^|[\s([])(?:e\.g|i\.e|cf|vs|etc\.,|al|approx|resp|viz|Fig|Figs|Tab|Eq|Eqs|Ref|Refs|Sec|Sect|Ch|Chap|Vol|No|Nos|Nr|pp|p|ed|eds|Dr|Prof|Mr|Mrs|Ms|St|Sr|Jr|Inc|Ltd|Abb|Art|Abs|Bd|Hrsg|bzw|z\.B|z\. B|d\.h|u\.a|vgl|ca|ggf|usw\.,|M|Mme|Mlle|Sra|Ing|рис|табл|стр|см|гл|т\.е)\.$/u

/** Whether the text ends where a sentence ends, in any of many scripts. Abbreviations and initials do not end one; a colon does not either. */
export function endsSentence(text: string): boolean {
  const bare = text.slice(-200).replace(closing, '')
  if (bare === '') return false
  const last = bare.slice(-1)
  if (enders.has(last)) return true
  if (last !== '.') return false
  // One capital before the stop is an initial ("J."), unless it closes an acronym ("U.S.A.").
  if (/(?:^|[\s.(-])\p{Lu}\.$/u.test(bare) && !/\p{Lu}\.\p{Lu}\.$/u.test(bare)) return false
  return !abbreviation.test(bare.slice(-16))
}
