import type { BlockContent } from '../schema/vlm-block.ts'
import { fenceFor } from '../text/markdown-escape.ts'
import { formulaBlock } from '../text/markdown-formula.ts'
import { formulaMarkdown } from './formula-markdown.ts'
import { modelTable } from './model-table.ts'
import { strayText } from './stray-text.ts'
import { tableToMarkdown } from './table-markdown.ts'

/** What a model says of a block as Markdown: its inline formulas between dollar signs, all else so that it renders as it is written. */
export function modelMarkdown(content: BlockContent): string {
  const { kind, text, table, latex, language } = content
  if (table) return [tableToMarkdown(modelTable(table), { formulas: true }), formulaMarkdown(strayText(table, text))].filter((part) => part !== '').join('\n\n')
  if (latex !== undefined) return formulaBlock(latex)
  if (kind === 'code' || kind === 'algorithm' || language !== undefined) {
    if (text === '') return ''
    const fence = fenceFor(text)
    return `${fence}${language ?? ''}\n${text}\n${fence}`
  }
  return formulaMarkdown(text, { lineStart: kind !== 'heading' })
}
