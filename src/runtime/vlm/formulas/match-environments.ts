const marks = /\\(begin|end)\s?\{([a-zA-Z]{1,24}\*?)\}/g

/** Takes away each `\end` that ends nothing, and adds those that are missing: in front of the one that encloses them, or at the end. */
export function matchEnvironments(latex: string): string {
  const open: string[] = []
  const close = (name: string): string => ` \\end{${name}}`
  const mended = latex.replace(marks, (written, side: string, name: string) => {
    if (side === 'begin') {
      open.push(name)
      return written
    }
    const at = open.lastIndexOf(name)
    if (at === -1) return ''
    const missing = open.splice(at).slice(1).reverse()
    return missing.map(close).join('') + written
  })
  return mended + open.reverse().map(close).join('')
}
