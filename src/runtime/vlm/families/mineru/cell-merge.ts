import type { PlannedAsk } from '../../family.ts'
import { blockAsks } from './asks.ts'
import { pythonRepr } from './python-repr.ts'

/**
 * The question, without a picture, whether cells of the last row of a table go on in the first row of the next page's: one text a cell. It has to be
 * worded like this, lists as Python prints them: the model was taught so.
 */
export function cellMergeAsk(lastRow: readonly string[], firstRow: readonly string[]): PlannedAsk {
  const prompt = [
    'Please merge the next two tables.',
    '',
    '## Table 1 (Previous Page - Last Table)',
    '',
    '**Caption:** (No caption)',
    '**Last Row(s) Data:**',
    rowRepr(lastRow),
    '',
    '---',
    '',
    '## Table 2 (Current Page - First Table)',
    '',
    '**Caption:** (No caption)',
    '**First Data Row(s):**',
    rowRepr(firstRow),
  ].join('\n')
  return { ...blockAsks.text, task: 'cell-merge', prompt, maxTokens: 512 }
}

/** A list of one row. */
const rowRepr = (cells: readonly string[]): string => `[[${cells.map((text) => pythonRepr(halfWidth(text.trim()))).join(', ')}]]`

/** Full-width Latin letters, figures and signs as ASCII. */
const halfWidth = (text: string): string => text.replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))

/** Answers are a list and a few words around it. */
const longestAnswer = 4096

/** One flag for each of `cells` cells: whether the lower goes on from the upper. Undefined where the answer is not such a list. */
export function cellMergeFlags(answer: string, cells: number): readonly boolean[] | undefined {
  const list = /\[[\d,\s]*\]/.exec(answer.slice(0, longestAnswer))?.[0]
  const flags = list === undefined ? undefined : parsed(list)
  if (!flags || flags.length === 0 || flags.length !== cells || flags.some((flag) => flag !== 0 && flag !== 1)) return undefined
  return flags.map((flag) => flag === 1)
}

function parsed(list: string): readonly number[] | undefined {
  try {
    return JSON.parse(list)
  } catch {
    return undefined
  }
}
