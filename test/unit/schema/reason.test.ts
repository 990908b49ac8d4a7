import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { PagestreamError, toFailure } from '../../../src/schema/failure.ts'
import { reasonOf } from '../../../src/schema/reason.ts'

describe('the reason of a foreign exception', () => {
  it('is that of the operating system, without the path', async () => {
    const error = await readFile('/no/such/secret').catch((cause: unknown) => cause)
    expect(reasonOf(error)).toBe('there is no such file or folder (ENOENT)')
    expect(reasonOf(Object.assign(new Error('EODD: /secret'), { code: 'EODD' }))).toBe('the operating system refuses (EODD)')
  })

  it('names the kind and the place in the code, never the message', () => {
    function readSecret(): never {
      throw new TypeError('cannot read "the text of a document" in /data/')
    }
    let caught: unknown
    try {
      readSecret()
    } catch (error) {
      caught = error
    }
    expect(reasonOf(caught)).toMatch(/^an unexpected TypeError in readSecret \(reason\.test\.ts:\d+\)$/)
  })

  it('is not misled by a message that looks like a stack', () => {
    expect(reasonOf(new Error('two lines\n    at fake (/secret/path.js:1:1)'))).toMatch(/^an unexpected Error.*\(reason\.test\.ts:\d+\)$/)
  })

  it.each([
    [Object.assign(new Error('text'), { stack: undefined }), 'an unexpected Error'],
    [Object.assign(new Error('text'), { name: 'a name with the text', stack: 'Error: text\n    at f (/x/y.js:no)' }), 'an unexpected Error'],
    ['text of a document', 'an unexpected value was thrown'],
    [undefined, 'an unexpected value was thrown'],
  ])('stays without a place when there is none: %o', (error, reason) => {
    expect(reasonOf(error)).toBe(reason)
  })
})

describe('a failure', () => {
  it('keeps code and message of an exception of ours', () => {
    expect(toFailure(new PagestreamError('page-timeout', 'reading page 3: it took long'), 'reading')).toEqual({
      class: 'resource',
      code: 'page-timeout',
      message: 'reading page 3: it took long',
    })
  })

  it('says what was being done when the exception is not ours', () => {
    expect(toFailure(new RangeError('text of a document'), 'laying out page 3')).toMatchObject({
      class: 'bug',
      code: 'internal',
      message: expect.stringMatching(/^laying out page 3: an unexpected RangeError/),
    })
    expect(toFailure(new RangeError('text of a document')).message).not.toContain('text')
  })
})
