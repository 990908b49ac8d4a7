import type { BlockContent } from '../runtime/vlm/block-content.ts'
import { escapeMarkdown, fenceFor } from '../text/markdown-escape.ts'
import { modelTable } from './model-table.ts'
import { tableToMarkdown } from './table-markdown.ts'

/** What a model says of a block as Markdown: its inline formulas between dollar signs, all else so that it renders as it is written. */
export function modelMarkdown(content: BlockContent): string {
  const { kind, text, table, latex, language } = content
  if (table) return tableToMarkdown(modelTable(table))
  if (latex !== undefined) return latex.trim() === '' ? '' : `$$\n${latex.trim()}\n$$`
  if (kind === 'code' || kind === 'algorithm') {
    if (text === '') return ''
    const fence = fenceFor(text)
    return `${fence}${language ?? ''}\n${text}\n${fence}`
  }
  return withFormulas(text)
}

/** `\( … \)` within a text; what is open to its end is text. */
const inline = /\\\((.*?)\\\)/gsu

function withFormulas(text: string): string {
  let [out, from] = ['', 0]
  for (const match of text.matchAll(inline)) {
    out += escapeMarkdown(text.slice(from, match.index), { lineStart: from === 0 })
    const formula = (match[1] ?? '').trim()
    out += formula === '' ? '' : `$${formula}$`
    from = match.index + match[0].length
  }
  return out + escapeMarkdown(text.slice(from), { lineStart: from === 0 })
}
