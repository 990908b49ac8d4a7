const separatorCell = /^\s*:?-{3,}:?\s*$/

/** The cells of a line of a Markdown table, its outer pipes left out; undefined for a line that has none, or one cell alone. */
export function markdownCells(line: string): string[] | undefined {
  const text = line.trim()
  if (!text.includes('|')) return undefined
  const cells = text.slice(text.startsWith('|') ? 1 : 0, text.length > 1 && text.endsWith('|') ? -1 : undefined).split('|')
  return cells.length >= 2 ? cells : undefined
}

/** `|---|:---:|`: three dashes or more in each cell. */
export const isSeparatorRow = (cells: readonly string[]): boolean => cells.every((cell) => separatorCell.test(cell))

/** As `markdownCells`, where `\|` is a character of a cell; trimmed. */
export function strictCells(line: string): string[] | undefined {
  const text = line.trim()
  const inner = text.slice(text.startsWith('|') ? 1 : 0, text.length > 1 && text.endsWith('|') ? -1 : undefined)
  const cells: string[] = []
  let cell = ''
  for (let at = 0; at < inner.length; at++) {
    const escaped = inner[at] === '\\' && inner[at + 1] === '|'
    if (escaped) at++
    if (inner[at] !== '|' || escaped) cell += inner[at]
    else {
      cells.push(cell.trim())
      cell = ''
    }
  }
  cells.push(cell.trim())
  return text.includes('|') && cells.length >= 2 ? cells : undefined
}
