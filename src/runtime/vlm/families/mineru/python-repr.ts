/** A string as Python's `repr` prints it: single quotes unless only those are in it, escapes for all that does not print. */
export function pythonRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  let shown = ''
  for (const char of text) shown += char === quote || char === '\\' ? `\\${char}` : (named[char] ?? (unprintable.test(char) ? escaped(char) : char))
  return quote + shown + quote
}

const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }
/** Control and format characters, surrogates, private and unassigned code points, separators other than the blank. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u

function escaped(char: string): string {
  const code = char.codePointAt(0) ?? 0
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`
}
