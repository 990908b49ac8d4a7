import { describe, expect, it } from 'vitest'
import { formulaBlock, formulaSpan } from '../../../src/text/markdown-formula.ts'

describe('a formula in Markdown', () => {
  it('stays as it is where it is harmless', () => {
    expect(formulaBlock('E = mc^2\n\\tag{1}')).toBe('$$\nE = mc^2\n\\tag{1}\n$$')
    expect(formulaSpan('a_1 < b')).toBe('$a_1 < b$')
  })

  it('is nothing where there is none', () => {
    expect([formulaBlock(' \n'), formulaSpan(' ')]).toEqual(['', ''])
  })

  it('holds no markup, no link and no empty line', () => {
    expect(formulaBlock('a\r\n\n<b onclick=x>\n\n[c](javascript:d)')).toBe('$$\na\n< b onclick=x>\n[c] (javascript:d)\n$$')
  })

  it('does not end before its end', () => {
    expect(formulaBlock('a $$ b $$$ c')).toBe('$$\na $ $ b $ $ $ c\n$$')
    expect(formulaSpan('a $ b \\$ c')).toBe('$a \\$ b \\$ c$')
    expect([formulaSpan('a \\'), formulaSpan('a \\\\')]).toEqual(['$a$', '$a \\\\$'])
  })

  it('has no line that Markdown takes for a list, heading, rule or fence', () => {
    expect(formulaBlock('- a\n- b\n# c\n===\n1. d')).toBe('$$\n-a - b # c === 1. d\n$$')
    expect(formulaBlock('> a')).toBe('$$\n{}> a\n$$')
  })
})
