/**
 * Where a text that is no JSON stops being it, in words: "it is no JSON at line 2, column 5". The engine's own message is not passed on: it
 * quotes the text, which may hold a secret, and names a place only for some faults.
 */
export function jsonFault(text: string): string {
  let good = 0
  let bad = text.length + 1 // so far no beginning of the text is known to be at fault
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (middle <= text.length && !isAtFault(text.slice(0, middle))) good = middle
    else bad = middle
  }
  if (good === text.length) return 'it is no whole JSON: it ends too early'
  const lines = text.slice(0, good).split('\n')
  return `it is no JSON at line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`
}

/** Whether no continuation makes the beginning of a text JSON. */
function isAtFault(beginning: string): boolean {
  try {
    JSON.parse(beginning)
    return false
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    const [, position] = /JSON at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(message) ?? []
    return position === undefined ? !message.startsWith('Unexpected end of JSON input') : Number(position) < beginning.length
  }
}
