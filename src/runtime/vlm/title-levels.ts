import type { PlannedAsk } from './family.ts'

/** More headings leave no room for an answer in the context of a small model. */
export const mostTitles = 400
const longestTitle = 120
export const deepestTitle = 4

/** The question for the levels of a document's headings, a JSON object from numbers to text, type size in points and page. At most `mostTitles`. */
export function titleLevelsAsk(titles: readonly { readonly text: string; readonly sizePt: number; readonly pageNumber: number }[]): PlannedAsk {
  const listed = titles.map(({ text, sizePt, pageNumber }, id) => {
    const shown = text.replace(/\s+/gu, ' ').trim().slice(0, longestTitle)
    return `"${id}": ${JSON.stringify([shown, Math.round(sizePt * 10) / 10, pageNumber])}`
  })
  const prompt = [
    'These are the headings of one document in reading order: number -> [text, type size in points, page].',
    `Say the level of each in the outline: 1 for the outermost, ${deepestTitle} for the innermost at most.`,
    'Headings that are numbered or printed alike have one level. Answer with nothing but a JSON object, number -> level, that has every number once.',
    '',
    `{${listed.join(',\n')}}`,
  ].join('\n')
  return {
    task: 'title-levels',
    prompt,
    decoding: { temperature: 0, topP: 1, topK: 1, repetitionPenalty: 1, presencePenalty: 0, frequencyPenalty: 0 },
    maxTokens: 64 + 10 * titles.length,
    answerSchema: levelsSchema(titles.length),
  }
}

/** An object with each number once, in order. */
const levelsSchema = (count: number): object => ({
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: count }, (_, id) => [String(id), { enum: [1, 2, 3, 4].slice(0, deepestTitle) }])),
})

/** The levels of so many titles; undefined unless the answer has exactly their numbers, each with a level. */
export function titleLevelsIn(answer: string, count: number): readonly number[] | undefined {
  const said = objectIn(answer)
  if (!said || Object.keys(said).length !== count) return undefined
  const levels: number[] = []
  for (let id = 0; id < count; id++) {
    const level = Object.hasOwn(said, String(id)) ? said[String(id)] : undefined
    if (typeof level !== 'number' || !Number.isInteger(level) || level < 1 || level > deepestTitle) return undefined
    levels.push(level)
  }
  return levels
}

/** An object may stand in a fence or among words. */
function objectIn(answer: string): Record<string, unknown> | undefined {
  try {
    const found: unknown = JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1))
    return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
