import type { BlockKind, Flag } from '../../../../schema/block-kind.ts'
import type { BlockContent } from '../../../../schema/vlm-block.ts'
import { tableText } from '../../../../text/table-text.ts'
import { displayFormula } from '../../formulas/display-formula.ts'
import { inlineFormulas } from '../../formulas/inline-formulas.ts'
import { mendLatex } from '../../formulas/mend-latex.ts'
import { readHtml } from '../../html/read-html.ts'
import { codeAnswer } from '../code-answer.ts'

const pictureKinds: ReadonlySet<BlockKind> = new Set(['figure', 'chart', 'stamp'])
const tableStart = /^<table\b/i

/** What was written after a box, cleaned; undefined where nothing was and something should be. */
export function detContent(kind: BlockKind, raw: string, flags: readonly Flag[]): BlockContent | undefined {
  const written = raw.trim()
  if (written === '') return pictureKinds.has(kind) ? { kind, text: '', raw, flags } : undefined
  if (kind === 'formula') {
    const latex = mendLatex(displayFormula(written))
    return { kind, text: latex, latex, raw, flags }
  }
  if (kind === 'code' || kind === 'algorithm') return { kind, ...codeAnswer(raw), raw, flags }
  if (kind === 'table' || tableStart.test(written)) return tableContent(kind, written, raw, flags)
  const text = inlineFormulas(written)
  return { kind, text: kind === 'heading' ? text.replace(/\s+/gu, ' ') : tidyLines(text), raw, flags }
}

function tableContent(kind: BlockKind, written: string, raw: string, flags: readonly Flag[]): BlockContent {
  const { table, outside } = readHtml(written)
  if (table === undefined) return { kind, text: inlineFormulas(outside), raw, flags }
  const cells = table.cells.map((cell) => ({ ...cell, text: inlineFormulas(cell.text) }))
  const text = [tableText({ rows: table.rows, cells }), inlineFormulas(outside)].filter((part) => part !== '').join('\n')
  return { kind: kind === 'chart' ? kind : 'table', text, table: { ...table, cells }, raw, flags }
}

/** Lines as they are, without spaces at their ends, never more than one empty line between them. */
function tidyLines(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line, at) => line !== '' || lines[at - 1] !== '').join('\n')
}
