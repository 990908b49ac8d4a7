/** A last backslash that escapes nothing would escape the sign that ends the formula. */
const openBackslash = /(?<!\\)((?:\\\\)*)\\$/
/** At the start of a line these end a paragraph: the line goes on behind the one before, which means the same in LaTeX. */
const beforeSyntax = /\n(?=[-+*#>=~`_|:]|\d{1,9}[.)])/g
/** … and at the start of the first line. */
const opensList = /^([-+*]|\d{1,9}[.)])\s+/
const opensOther = /^(?=[#>=~`|:]|--|\*\*|__|\+\+)/

/**
 * LaTeX for a place within Markdown, where some readers know formulas and others none: what looks like a tag or link in it is none, and it is one
 * paragraph. `a<b` becomes `a< b`, which is the same formula.
 */
function withinMarkdown(latex: string): string {
  const lines = latex.split(/[\r\n]/).flatMap((line) => line.trim() || [])
  return lines
    .join('\n')
    .replace(/<(?=[A-Za-z/!?])/g, '< ')
    .replaceAll('](', '] (')
    .replace(openBackslash, '$1')
    .trim()
}

/** A formula of its own between double dollar signs, of which it holds none itself; empty for none. */
export function formulaBlock(latex: string): string {
  const within = withinMarkdown(latex)
    .replace(/\$(?=\$)/g, '$ ')
    .replace(beforeSyntax, ' ')
    .replace(opensList, '$1')
    .replace(opensOther, '{}')
  return within === '' ? '' : `$$\n${within}\n$$`
}

/** A formula in a line between dollar signs, of which it holds none itself that is not escaped; empty for none. */
export function formulaSpan(latex: string): string {
  const within = withinMarkdown(latex)
    .replaceAll('\n', ' ')
    .replace(/(\\.)|\$/gs, (_, escaped: string | undefined) => escaped ?? '\\$')
  return within === '' ? '' : `$${within}$`
}
