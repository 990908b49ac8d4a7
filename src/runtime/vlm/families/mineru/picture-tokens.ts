/** Letters and digits that are not taken for one another. */
const alphabet = 'ACDGHKTWXYZ2345678'
const codes = alphabet.length ** 4
/** Without a divisor in common with the number of codes, and so large that neighbours differ in each character. */
const step = 7919
const first = 54_321

/**
 * Names of pictures that are painted over in a table: four characters each, no two alike, the same ones for every table. A model writes them where the
 * pictures were.
 */
export function pictureTokens(count: number): string[] {
  return Array.from({ length: Math.min(count, codes) }, (_, nth) => {
    let code = (first + nth * step) % codes
    let token = ''
    for (let at = 0; at < 4; at++) {
      token += alphabet[code % alphabet.length]
      code = Math.floor(code / alphabet.length)
    }
    return token
  })
}

const bracketed = /\[\s{0,8}([A-Z2-8]{4})\s{0,8}\]/g

/** A cell's text without the tokens of pictures. */
export function withoutPictureTokens(text: string, tokens: ReadonlySet<string>): string {
  return text.replace(bracketed, (whole, token: string) => (tokens.has(token) ? '' : whole)).trim()
}
