import { expect, it } from 'vitest'
import { excerpt, shown } from '../../../src/cli/terminal-text.ts'

it('shows what would command a terminal instead of obeying it', () => {
  expect(shown('\u001b]0;title\u0007 \u202etxt.exe')).toBe('\\u{1b}]0;title\\u{7} \\u{202e}txt.exe')
  expect(shown('naïve 漢字 ✓')).toBe('naïve 漢字 ✓')
})

it('takes the beginning of a text, on one line', () => {
  expect(excerpt(`one\n two\t\u001b[2J${'x'.repeat(200)}`)).toMatch(/^one two \\u\{1b\}\[2Jx{80,}$/)
})
