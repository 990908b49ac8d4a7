import { headingNumber } from '../../../text/heading-number.ts'
import { type DraftBlock, draftText } from '../draft-block.ts'

const title =
  /^(?:references?(?: and notes)?|references cited|bibliography|works cited|literature(?: cited)?|literatur(?:verzeichnis)?|quellen(?:verzeichnis)?|références|bibliographie|referencias|bibliografía|referências|bibliografia|riferimenti|literatuur|список литературы|литература|参考文献|參考文獻|참고문헌|引用文献)\s*:?$/iu
const year = /\b(?:1[89]\d\d|20\d\d)[a-z]?\b/
const bracketed = /^\[(?:\d{1,3}|[A-Z][\p{L}+]{1,8}\d{2,4}[a-z]?)\]/u

/** Entries of a bibliography: what follows its heading, and runs of bracketed entries on pages that continue one. */
export function markReferences(blocks: readonly DraftBlock[]): void {
  let inside = false
  for (const [i, block] of blocks.entries()) {
    if (block.kind === 'heading') {
      const text = draftText(block).trim()
      inside = title.test(headingNumber(text)?.rest || text)
      continue
    }
    if (block.kind !== 'text' && block.kind !== 'list_item') continue
    if (inside || continuesReferences(blocks, i)) {
      block.kind = 'reference'
      delete block.depth
    }
  }
}

/** Three neighbours in a row begin with a bracketed key, and years abound. */
function continuesReferences(blocks: readonly DraftBlock[], at: number): boolean {
  if (!isEntry(blocks[at])) return false
  let run = 1
  for (let i = at - 1; i >= 0 && isEntry(blocks[i]); i--) run++
  for (let i = at + 1; i < blocks.length && run < 3 && isEntry(blocks[i]); i++) run++
  return run >= 3
}

const isEntry = (block: DraftBlock | undefined): boolean => {
  if (!block || (block.kind !== 'text' && block.kind !== 'list_item' && block.kind !== 'reference')) return false
  const text = draftText(block)
  return bracketed.test(text) && year.test(text)
}
