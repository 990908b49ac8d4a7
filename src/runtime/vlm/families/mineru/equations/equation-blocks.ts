const tag = /\\tag\s*\{([^}]*)\}/g

/**
 * One formula out of those that a container holds, a line each. LaTeX takes one `\tag` for all: of several, each is printed as its number in parentheses.
 */
export function combineEquations(equations: readonly string[]): string {
  const tags = equations.reduce((sum, latex) => sum + [...latex.matchAll(tag)].length, 0)
  const lines = tags > 1 ? equations.map((latex) => latex.replace(tag, '($1)')) : equations
  return `\\begin{array}{l} ${lines.map((line) => `${line} \\\\ `).join('')}\\end{array}`
}
