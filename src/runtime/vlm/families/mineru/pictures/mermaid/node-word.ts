/** A character of a node's id; a hyphen is one too, within a word. */
const idCharacter = /[A-Za-z0-9_\u4e00-\u9fa5-]/
const wordStart = /[A-Za-z0-9_\u4e00-\u9fa5]/
/** Longer ids are no ids. */
const longestId = 200

/** Where the words before a position begin that name a node: on one line, not before `from`, `longestId` characters at most. `end` itself for none. */
export function nodeStart(code: string, end: number, from: number): number {
  const least = Math.max(from, end - longestId)
  let start = end
  let at = end
  while (at > least) {
    while (at > least && isBlank(code[at - 1])) at--
    const wordEnd = at
    while (at > least && idCharacter.test(code[at - 1] ?? '')) at--
    while (at < wordEnd && !wordStart.test(code[at] ?? '')) at++
    if (at === wordEnd) break
    start = at
    if (!isBlank(code[at - 1])) break
  }
  return start
}

const isBlank = (char: string | undefined): boolean => char === ' ' || char === '\t'
