import { describe, expect, it } from 'vitest'
import { objectFailure } from '../../../src/inputs/remote-files.ts'
import { s3Failure } from '../../../src/store/s3-failure.ts'

const answer = (name: string, httpStatusCode: number) => s3Failure('reading', 'a.pdf', Object.assign(new Error(name), { name, $metadata: { httpStatusCode } }))

describe('objectFailure', () => {
  it.each([
    ['AccessDenied', 403],
    ['Forbidden', 403],
    ['Unauthorized', 401],
    ['NoSuchBucket', 404],
    ['NoSuchKey', 404],
  ])('blames the document for %s', (name, status) => {
    expect(objectFailure(answer(name, status), 'archive')).toMatchObject({ code: 'document-not-found', class: 'input' })
  })

  it.each([
    ['InternalError', 500],
    ['SlowDown', 503],
    ['SignatureDoesNotMatch', 403],
    ['InvalidAccessKeyId', 403],
  ])('does not blame the document for %s', (name, status) => {
    expect(objectFailure(answer(name, status), 'archive')).toMatchObject({ code: 'store-failed' })
  })
})
