import type { Flag } from '../../../../schema/block-kind.ts'
import type { ModelTable } from '../../../../schema/vlm-block.ts'
import { inlineFormulas } from '../../formulas/inline-formulas.ts'
import { readHtml } from '../../html/read-html.ts'
import { isOtsl } from '../../otsl/otsl-pieces.ts'
import { parseOtsl } from '../../otsl/parse-otsl.ts'
import { parseMarkdownTable } from './pictures/markdown-table.ts'

export interface TableAnswer {
  readonly table: ModelTable | undefined
  readonly flags: readonly Flag[]
}

/** A table in any of the forms that the model writes: HTML, a Markdown table and nothing else, OTSL. Inline formulas of its cells stand in `\( … \)`. */
export function readTableAnswer(answer: string, cut: boolean): TableAnswer {
  const { table, flags } = anyTable(answer.trim(), cut)
  return { table: table && mapCells(table, inlineFormulas), flags }
}

function anyTable(answer: string, cut: boolean): TableAnswer {
  if (/^<table/i.test(answer)) {
    const { table, outside } = readHtml(answer.replaceAll('<eq>', '\\(').replaceAll('</eq>', '\\)'))
    return { table, flags: table && outside.trim() !== '' ? ['lost-text'] : [] }
  }
  if (!isOtsl(answer)) return { table: parseMarkdownTable(answer), flags: [] }
  const parsed = parseOtsl(answer, cut)
  return { table: parsed?.table, flags: parsed?.lostText || parsed?.overBounds ? ['lost-text'] : [] }
}

export const mapCells = (table: ModelTable, rewrite: (text: string) => string): ModelTable => ({
  ...table,
  cells: table.cells.map((cell) => (cell.text === '' ? cell : { ...cell, text: rewrite(cell.text) })),
})
