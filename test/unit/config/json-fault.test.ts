import { describe, expect, it } from 'vitest'
import { jsonFault } from '../../../src/config/json-fault.ts'

describe('the place where a text stops being JSON', () => {
  it.each([
    ['{\n  "a": 1,\n}', 3, 1],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ['{ "a": trux }', 1, 11],
    ['{ "passwordOfMine": hunter2 }', 1, 21],
    ["{ 'a': 1 }", 1, 3],
    ['{ "a": "b\n" }', 1, 10],
    ['{ "a": "\\q" }', 1, 10],
    ['{ "a": "\\u12x4" }', 1, 13],
    ['{ "a": 01 }', 1, 9],
    ['{} at position 1', 1, 4],
    ['{ "a": x, "b": "JSON at position 1"', 1, 8],
    ['\ufeff{}', 1, 1],
  ])('is told of %j', (text, line, column) => {
    expect(jsonFault(text)).toBe(`it is no JSON at line ${line}, column ${column}`)
  })

  it('is the end of every beginning of a JSON text', () => {
    const whole = JSON.stringify({ a: [1.5e-7, -2, true, false, null, 'x\\"\n\u0001é'], b: { '': '' } }, undefined, 2)
    for (let length = 0; length < whole.length; length++) expect(jsonFault(whole.slice(0, length))).toMatch(/ends too early/)
  })
})
