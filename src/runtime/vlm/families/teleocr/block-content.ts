import type { BlockKind, Flag } from '../../../../schema/block-kind.ts'
import type { BlockContent, ModelTable } from '../../../../schema/vlm-block.ts'
import { tableText } from '../../../../text/table-text.ts'
import type { BlockAnswer } from '../../family.ts'
import { displayFormula } from '../../formulas/display-formula.ts'
import { mendLatex } from '../../formulas/mend-latex.ts'
import { textFormulas } from '../../formulas/text-formulas.ts'
import { unicodeLatex } from '../../formulas/unicode-latex.ts'
import { readHtml } from '../../html/read-html.ts'
import { isOtsl } from '../../otsl/otsl-pieces.ts'
import { parseOtsl } from '../../otsl/parse-otsl.ts'
import { readAnswer } from '../answer-text.ts'
import { codeAnswer } from '../code-answer.ts'

/** Of a figure of data; fewer characters are noise. */
const leastOfFigure = 6
const htmlTable = /<t(?:able|r|d|h)\b/i

/** What the model says of a block of this kind, cleaned. Never throws. */
export function contentOf(kind: BlockKind, answer: BlockAnswer): BlockContent {
  const { text: raw, cut } = readAnswer(answer)
  const base = { kind, raw, flags: cut ? (['cut'] as const) : [] }
  const text = raw.trim()
  switch (kind) {
    case 'formula': {
      const latex = mendLatex(unicodeLatex(displayFormula(text)))
      return { ...base, text: latex, latex }
    }
    case 'code':
    case 'algorithm':
      return { ...base, ...codeAnswer(raw) }
    case 'table':
      return { ...base, ...tableContent(text, cut, base.flags) }
    case 'chart':
      if (isOtsl(text) || htmlTable.test(text)) return { ...base, ...tableContent(text, cut, base.flags) }
      return { ...base, text: text.length < leastOfFigure ? '' : textFormulas(text) }
    case 'heading':
      return { ...base, text: textFormulas(text).replace(/\s+/gu, ' ') }
    default:
      return { ...base, text: textFormulas(text) }
  }
}

/** A table in OTSL, or ready HTML; text where it is neither. */
function tableContent(text: string, cut: boolean, flags: readonly Flag[]): Pick<BlockContent, 'text' | 'table' | 'flags'> {
  const otsl = isOtsl(text) ? parseOtsl(text, cut) : undefined
  if (otsl !== undefined) {
    const table = withFormulas(otsl.table)
    const lost: readonly Flag[] = otsl.lostText || otsl.overBounds ? ['lost-text'] : []
    return { text: tableText(table), table, flags: [...flags, ...lost] }
  }
  const { table: found, outside } = readHtml(text)
  const table = found && withFormulas(found)
  const around = textFormulas(outside)
  return { text: table === undefined ? around : [tableText(table), around].filter((part) => part !== '').join('\n'), ...(table && { table }), flags }
}

const withFormulas = (table: ModelTable): ModelTable => ({ ...table, cells: table.cells.map((cell) => ({ ...cell, text: textFormulas(cell.text) })) })
