const normal = (text) =>
  text
    .normalize('NFKC')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/\u00ad/g, '')

/** Edit distance of two lists of code points, in one row. */
function distance(a, b) {
  const row = Uint32Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    let diagonal = row[0]
    row[0] = i
    for (let j = 1; j <= b.length; j++) {
      const above = row[j]
      row[j] = Math.min(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] === b[j - 1] ? 0 : 1))
      diagonal = above
    }
  }
  return row[b.length]
}

/** Wrong, missing and invented characters for each true one, blanks left out; the order of the text counts. */
export function characterError(text, truth) {
  const codes = (value) => Uint32Array.from(normal(value).replace(/\s+/g, ''), (letter) => letter.codePointAt(0))
  const [found, expected] = [codes(text), codes(truth)]
  return expected.length === 0 ? 0 : distance(found, expected) / expected.length
}

/** 1 − F1 of the words, whatever their order: blanks count, columns read in another order do not. */
export function wordError(text, truth) {
  const words = (value) => normal(value).split(/\s+/).filter(Boolean)
  const [found, expected] = [words(text), words(truth)]
  const left = new Map()
  for (const word of expected) left.set(word, (left.get(word) ?? 0) + 1)
  let shared = 0
  for (const word of found) {
    const count = left.get(word) ?? 0
    if (count === 0) continue
    left.set(word, count - 1)
    shared++
  }
  return found.length + expected.length === 0 ? 0 : 1 - (2 * shared) / (found.length + expected.length)
}
