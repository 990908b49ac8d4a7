import { formulaSpans } from '../runtime/vlm/formulas/formula-spans.ts'
import { escapeMarkdown } from '../text/markdown-escape.ts'
import { formulaSpan } from '../text/markdown-formula.ts'

/**
 * A model's text as Markdown: its inline formulas, `\( … \)`, between dollar signs, all else so that it renders as it is written. A formula that is open
 * to the end is text, and so is `\[ … \]` outside of tables. `lineStart`: whether the text begins a line, where some signs have a meaning.
 */
export function formulaMarkdown(
  text: string,
  { inTable = false, lineStart = !inTable }: { readonly inTable?: boolean; readonly lineStart?: boolean } = {},
): string {
  let [out, from] = ['', 0]
  const escaped = (to?: number): string => escapeMarkdown(text.slice(from, to), { lineStart: lineStart && from === 0, inTable })
  for (const { start, end, display } of formulaSpans(text)) {
    if (display && !inTable) continue
    const formula = formulaSpan(text.slice(start + 2, end - 2))
    out += escaped(start) + (inTable ? formula.replaceAll('|', '\\|') : formula)
    from = end
  }
  return out + escaped()
}
