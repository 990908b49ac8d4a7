import { matchBraces } from '../../../formulas/match-braces.ts'
import { matchDelimiters } from '../../../formulas/match-delimiters.ts'
import { unwrapBigDelimiters } from './big-delimiters.ts'

/** `reference`: two fixes as MinerU makes them, one of which deletes. `safe`: nothing is deleted but brackets and braces without a partner. */
export type EquationFixes = 'safe' | 'reference'

/** A formula as a model wrote it, without its brackets, mended so that LaTeX takes it. Takes time in proportion to its length. */
export function cleanEquation(answer: string, fixes: EquationFixes = 'safe'): string {
  const matched = matchDelimiters(withoutBrackets(answer))
  const single = fixes === 'safe' ? separateSubscripts(matched) : matched.replace(doubleSubscript, '')
  const sized = unwrapBigDelimiters(single.replaceAll('\\coloneqq', ':=').replaceAll('\\eqqcolon', '=:'))
  return matchBraces(fixes === 'safe' ? sized : sized.replaceAll('<', '< '))
}

/** As MinerU prints a formula. */
export function bracketEquation(latex: string): string {
  const text = latex.trim()
  const opened = text.startsWith('\\[') ? text : `\\[\n${text}`
  return opened.endsWith('\\]') ? opened : `${opened}\n\\]`
}

/** Either bracket alone goes too: answers are cut. */
function withoutBrackets(answer: string): string {
  const text = answer.trim()
  const [from, to] = [text.startsWith('\\[') ? 2 : 0, text.endsWith('\\]') ? text.length - 2 : text.length]
  return text.slice(from, Math.max(from, to)).trim()
}

/** In braces, which may hold others, one level deep. */
const subscript = String.raw`_\s*\{(?:[^{}]|\{[^{}]*\})*\}`
const doubleSubscript = new RegExp(String.raw`${subscript}\s*${subscript}`, 'g')
const followedBySubscript = new RegExp(String.raw`(${subscript})(?=\s*${subscript})`, 'g')

/** TeX refuses a second subscript on one base; an empty group gives it a base of its own, and both are printed. */
const separateSubscripts = (latex: string): string => latex.replace(followedBySubscript, '$1{}')
