const wrapped = /\\([bB]ig{1,2})([lrm]?) ?\{(\(|\)|\[|\]|\||\\\||\\\{|\\\}|\\langle|\\rangle)\}/g

/** `\big{(}` is no LaTeX that sizes anything: the braces go. An angle is a command and keeps a blank after it. */
export function unwrapBigDelimiters(latex: string): string {
  return latex
    .replace(wrapped, (_, size: string, side: string, delimiter: string) => `\\${size}${side}${ending(delimiter)}`)
    .replaceAll('\\bigtimes', '\\times')
}

const ending = (delimiter: string): string => (delimiter.endsWith('angle') ? `${delimiter} ` : delimiter)
