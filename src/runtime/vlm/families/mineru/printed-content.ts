import { otslHtml } from '../../otsl/otsl-html.ts'
import { bracketEquation, cleanEquation } from './equations/clean-equation.ts'
import { readPicture } from './pictures/read-picture.ts'
import { readTableAnswer } from './table-answer.ts'
import { fixText } from './text-fixes.ts'

/** A block as MinerU's own client gives it. */
export interface PrintedBlock {
  readonly type: string
  readonly subType?: string
  readonly content: string
}

/**
 * What MinerU's client makes of an answer, for comparison with its output: tables as HTML, formulas in brackets with its own fixes. Where ours differ on
 * purpose is listed in docs/mineru-deviations.md.
 */
export function printedContent(type: string, answer: string): PrintedBlock {
  switch (type) {
    case 'table':
      return { type, content: printedTable(answer) }
    case 'equation':
      return { type, content: printedEquation(answer) }
    case 'image':
    case 'chart':
      return printedPicture(answer)
    case 'text':
    case 'list_item':
      return { type: 'text', content: fixText(answer) }
    default:
      return { type, content: answer }
  }
}

function printedPicture(answer: string): PrintedBlock {
  const picture = readPicture(answer)
  switch (picture.type) {
    case 'table':
      return { type: 'table', content: printedTable(picture.text) }
    case 'equation':
      return { type: 'equation', content: printedEquation(picture.text) }
    case 'flowchart':
      return { type: 'image', subType: picture.subKind, content: `\`\`\`mermaid\n${picture.text}\n\`\`\`` }
    default:
      return { type: picture.type, subType: picture.subKind, content: picture.text }
  }
}

function printedTable(answer: string): string {
  const { table } = readTableAnswer(answer, false)
  return table ? otslHtml(table, { formulas: true }) : ''
}

function printedEquation(answer: string): string {
  const latex = cleanEquation(answer, 'reference')
  return latex === '' ? '' : bracketEquation(latex)
}
