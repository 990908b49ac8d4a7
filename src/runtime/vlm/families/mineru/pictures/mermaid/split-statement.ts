/** Splits a line of Mermaid at a separator, where it stands outside of quotes, brackets and `|labels|`. */
export function splitStatement(line: string, separator: ';' | '-->'): string[] {
  const parts: string[] = []
  let [from, depth] = [0, 0]
  let [quoted, labelled] = [false, false]
  for (let at = 0; at < line.length; at++) {
    const char = line[at] ?? ''
    if (char === '"') quoted = !quoted
    else if (quoted) at += char === '\\' ? 1 : 0
    else if ('[({'.includes(char)) depth++
    else if ('])}'.includes(char)) depth = Math.max(0, depth - 1)
    else if (depth > 0) continue
    else if (char === '|') labelled = !labelled
    else if (!labelled && line.startsWith(separator, at)) {
      parts.push(line.slice(from, at))
      from = at + separator.length
      at = from - 1
    }
  }
  parts.push(line.slice(from))
  return parts
}
