import { mapFormulas } from '../../formulas/formula-spans.ts'

/** Numbers in brackets are references, not a formula. */
const onlyNumbers = /^[\d\-–,\s]+$/
const gluedCommand = /\\(cong|to|times|subset|in)([a-zA-Z])(?![a-zA-Z])/g
/** Commands that only look glued. */
const wholeCommands: ReadonlySet<string> = new Set(['top', 'int', 'inf'])
const blanks = /(_{3,})/

/** Mends what models get wrong in running text, as MinerU does: displayed formulas, glued commands, and blanks to fill in within formulas. */
export function fixText(text: string): string {
  const inline = mapFormulas(text, (inner, display) => (display && onlyNumbers.test(inner) ? `\\[${inner}\\]` : `\\(${inner}\\)`))
  return mapFormulas(inline, (inner, display) => (display ? `\\[${inner}\\]` : moveBlanksOut(separateCommands(inner))))
}

const separateCommands = (latex: string): string =>
  latex.replace(gluedCommand, (whole, command: string, letter: string) => (wholeCommands.has(command + letter) ? whole : `\\${command} ${letter}`))

/** `\( a = ___ \)` becomes `\( a = \) ___`. */
function moveBlanksOut(latex: string): string {
  const parts = latex.split(blanks)
  if (parts.length === 1) return `\\(${latex}\\)`
  return parts
    .filter((part) => part.trim() !== '')
    .map((part) => (part.startsWith('___') ? part : `\\(${part}\\)`))
    .join(' ')
}
