import { formulaSpans } from '../../../../runtime/vlm/formulas/formula-spans.ts'

/** A stretch of text, or a formula without delimiters. */
export interface Inline {
  readonly type: 'text' | 'formula'
  readonly content: string
}

/** Text in stretches of words and inline formulas, `\( … \)`; formulas are trimmed, what is blank is left out. */
export function inlines(text: string): Inline[] {
  const found: Inline[] = []
  let from = 0
  const words = (to?: number) => found.push({ type: 'text', content: text.slice(from, to) })
  for (const { start, end, display } of formulaSpans(text)) {
    if (display) continue
    words(start)
    found.push({ type: 'formula', content: text.slice(start + 2, end - 2).trim() })
    from = end
  }
  words()
  return found.filter(({ content }) => content.trim() !== '')
}

/** Text with its formulas between dollar signs, as MinerU's content lists have it. */
export const inlineText = (parts: readonly Inline[]): string => parts.map(({ type, content }) => (type === 'formula' ? `$${content}$` : content)).join('')
