import type { BlockKind, Flag } from '../../../../schema/block-kind.ts'
import type { BlockContent } from '../../../../schema/vlm-block.ts'
import { tableText } from '../../../../text/table-text.ts'
import type { BlockAnswer } from '../../family.ts'
import { formulaSpans, mapFormulas } from '../../formulas/formula-spans.ts'
import { matchEnvironments } from '../../formulas/match-environments.ts'
import { type ReadAnswer, readAnswer } from '../answer-text.ts'
import { codeAnswer } from '../code-answer.ts'
import type { BlockTask } from './block-types.ts'
import { cleanEquation } from './equations/clean-equation.ts'
import { withoutPictureTokens } from './picture-tokens.ts'
import { readPicture } from './pictures/read-picture.ts'
import { mapCells, readTableAnswer } from './table-answer.ts'
import { fixText } from './text-fixes.ts'

/** What the model writes where it sees nothing to read. */
export const nonText = '[Non-Text]'

/** What one answer says of a block, cleaned. Never throws; takes time in proportion to the answer. `tokens`: of pictures that are masked in a table. */
export function readBlock(kind: BlockKind, task: BlockTask, answer: BlockAnswer, tokens: ReadonlySet<string> = new Set()): BlockContent {
  const read = readAnswer(answer)
  const content = read.text.trim() === nonText ? { kind, text: '' } : contentOf(kind, task, read, tokens)
  const flags = new Set([...(read.cut ? (['cut'] as const) : []), ...(content.flags ?? [])])
  return { ...content, raw: read.text, flags: [...flags] }
}

type Content = Omit<BlockContent, 'raw' | 'flags'> & { readonly flags?: readonly Flag[] }

function contentOf(kind: BlockKind, task: BlockTask, read: ReadAnswer, tokens: ReadonlySet<string>): Content {
  switch (task) {
    case 'table':
      return tableContent(read.text, read.cut, tokens)
    case 'equation':
      return equationContent(read.text, read.cut)
    case 'picture':
      return pictureContent(read)
    case 'text':
      return kind === 'code' || kind === 'algorithm' ? codeContent(kind, read.text) : { kind, text: proseText(kind, read.text) }
  }
}

/** What is no table is kept as text. */
function tableContent(answer: string, cut: boolean, tokens: ReadonlySet<string>): Content {
  const { table: found, flags } = readTableAnswer(answer, cut)
  if (!found) return { kind: 'table', text: answer.trim(), flags: answer.trim() === '' ? [] : ['low-confidence'] }
  const table = tokens.size === 0 ? found : mapCells(found, (text) => withoutPictureTokens(text, tokens))
  return { kind: 'table', text: tableText(table), table, flags }
}

/** Environments that a cut has left open are closed. */
function equationContent(answer: string, cut: boolean): Content {
  const latex = cleanEquation(cut ? matchEnvironments(answer) : answer)
  return { kind: 'formula', text: latex, latex }
}

function pictureContent({ text: answer, cut }: ReadAnswer): Content {
  const picture = readPicture(answer, cut)
  if (!('subKind' in picture)) return picture.type === 'table' ? tableContent(picture.text, cut, new Set()) : equationContent(picture.text, cut)
  const subKind = picture.subKind === '' ? {} : { subKind: picture.subKind }
  if (picture.type === 'flowchart') return { kind: 'figure', text: picture.text, language: 'mermaid', ...subKind }
  const table = picture.type === 'chart' ? readTableAnswer(picture.text, cut).table : undefined
  const kind = picture.type === 'chart' ? 'chart' : 'figure'
  return table ? { kind, text: tableText(table), table, ...subKind } : { kind, text: picture.text, ...subKind }
}

/** Code with formulas in it is pseudo-code. */
function codeContent(kind: BlockKind, answer: string): Content {
  const code = codeAnswer(answer)
  return { kind: formulaSpans(code.text).some(({ display }) => !display) ? 'algorithm' : kind, ...code }
}

/** Formulas stand in `\( … \)`; brackets that are left around numbers are brackets. */
function proseText(kind: BlockKind, answer: string): string {
  const text = mapFormulas(fixText(answer.trim()), (inner, display) => (display ? `[${inner}]` : `\\(${inner}\\)`))
  return kind === 'heading'
    ? text
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .join(' ')
    : text
}
