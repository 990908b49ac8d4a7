import { describe, expect, it } from 'vitest'
import { textFormulas } from '../../../../../src/runtime/vlm/formulas/text-formulas.ts'

describe('formulas in text', () => {
  it.each([
    ['let $x$ be', 'let \\( x \\) be'],
    ['let $$ x^2 $$ be', 'let \\( x^2 \\) be'],
    ['a $ \\alpha $b$y$', 'a \\( \\alpha \\)b\\( y \\)'],
    ['costs $5 and $6', 'costs $5 and $6'],
    ['from $5/$6 to US$7', 'from $5/$6 to US$7'],
    ['pays $20, where $x_1$ is', 'pays $20, where \\( x_1 \\) is'],
    ['\\$5 and $n$', '$5 and \\( n \\)'],
    ['\\[ z \\] and \\(w\\)', '\\( z \\) and \\( w \\)'],
    ['\\( a $ b $ c \\)', '\\( a $ b $ c \\)'],
    ['one $ two', 'one $ two'],
    ['$a\n\nb^2$', '$a\n\nb^2$'],
    ['$$', '$$'],
    ['', ''],
  ])('%j', (text, formulas) => {
    expect(textFormulas(text)).toBe(formulas)
  })

  it('takes time in the length of the text', { timeout: 5_000 }, () => {
    for (const part of ['$', '$ ', '$$x', '\\$', '\\($']) textFormulas(part.repeat(150_000))
  })
})
