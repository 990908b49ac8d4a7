import { describe, expect, it } from 'vitest'
import { safeLink } from '../../../../../src/stages/region-recognition/markdown/safe-link.ts'

describe('safeLink', () => {
  it.each([
    ['https://example.org/a', 'https://example.org/a'],
    ['HTTP://example.org', 'HTTP://example.org'],
    ['mailto:a@example.org', 'mailto:a@example.org'],
    ['www.example.org', 'http://www.example.org'],
  ])('follows %j', (uri, target) => expect(safeLink(uri)).toBe(target))

  it.each([
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    '#page=2',
    '',
    undefined,
    `https://${'a'.repeat(4000)}`,
    'https://',
  ])('refuses %j', (uri) => {
    expect(safeLink(uri)).toBeUndefined()
  })
})
