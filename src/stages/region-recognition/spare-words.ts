import type { LaidOutPage } from '../stage-values.ts'

/** The words of the text layer that no block of the page holds; found out when first asked for. */
export function spareWords(page: LaidOutPage): () => readonly number[] {
  let spare: number[] | undefined
  return () => {
    if (spare) return spare
    const used = new Set<number>()
    for (const block of page.blocks) {
      const lines = [...block.lines, ...(block.table?.cells.flatMap((cell) => cell.lines) ?? [])]
      for (const line of lines) for (const index of line.words ?? []) used.add(index)
    }
    spare = page.textLayer.words.flatMap((word, index) => (used.has(index) || word.hidden !== undefined ? [] : [index]))
    return spare
  }
}
