import { describe, expect, it } from 'vitest'
import { configSchema } from '../../../../src/config/config.ts'
import type { DocumentReader, OpenDocument, OpenOptions } from '../../../../src/runtime/document-reader.ts'
import { documentPool } from '../../../../src/runtime/documents/document-pool.ts'
import { PagestreamError } from '../../../../src/schema/failure.ts'
import type { DocumentSource } from '../../../../src/schema/page.ts'

const source = (path: string): DocumentSource => ({ name: path, path, mediaType: '', bytes: 1, sha256: '' })

class FakeReader implements DocumentReader {
  readonly log: string[] = []
  readonly passwords: (string | undefined)[] = []
  open(from: DocumentSource, options: OpenOptions): Promise<OpenDocument> {
    this.log.push(`open ${from.path}`)
    this.passwords.push(options.password)
    if (from.path === 'bad') return Promise.reject(new PagestreamError('document-corrupt', 'opening the document: broken'))
    const log = this.log
    return Promise.resolve({
      [Symbol.asyncDispose]: async () => {
        log.push(`close ${from.path}`)
      },
    } as unknown as OpenDocument)
  }
  async [Symbol.asyncDispose](): Promise<void> {}
}

const pool = (reader: DocumentReader, openDocuments = 2) =>
  documentPool(reader, configSchema.parse({ limits: { openDocuments } }), (s) => (s.path === 'secret' ? 'sesame' : undefined))

describe('documentPool', () => {
  it('opens a document once for many uses', async () => {
    const reader = new FakeReader()
    const documents = pool(reader)
    await Promise.all([1, 2, 3].map(() => documents.use(source('a'), async () => undefined)))
    await documents.use(source('a'), async () => undefined)
    expect(reader.log).toEqual(['open a'])
  })

  it('closes the document whose last use is longest ago', async () => {
    const reader = new FakeReader()
    const documents = pool(reader)
    for (const path of ['a', 'b', 'a', 'c']) await documents.use(source(path), async () => undefined)
    expect(reader.log).toEqual(['open a', 'open b', 'open c', 'close b'])
  })

  it('never closes a document in use', async () => {
    const reader = new FakeReader()
    const documents = pool(reader, 1)
    await documents.use(source('a'), async () => {
      await documents.use(source('b'), async () => undefined)
      expect(reader.log).toEqual(['open a', 'open b', 'close b'])
    })
    expect(reader.log).not.toContain('close a')
  })

  it('closes a released document when its last use ends', async () => {
    const reader = new FakeReader()
    const documents = pool(reader)
    await documents.use(source('a'), async () => {
      await documents.release(source('a'))
      expect(reader.log).toEqual(['open a'])
    })
    expect(reader.log).toEqual(['open a', 'close a'])
  })

  it('tries a document that could not be opened anew', async () => {
    const reader = new FakeReader()
    const documents = pool(reader)
    for (let i = 0; i < 2; i++) await expect(documents.use(source('bad'), async () => undefined)).rejects.toMatchObject({ code: 'document-corrupt' })
    expect(reader.log).toEqual(['open bad', 'open bad'])
  })

  it('opens with the password of the document', async () => {
    const reader = new FakeReader()
    const documents = pool(reader)
    await documents.use(source('secret'), async () => undefined)
    await documents.use(source('a'), async () => undefined)
    expect(reader.passwords).toEqual(['sesame', undefined])
  })

  it('closes everything at the end', async () => {
    const reader = new FakeReader()
    const documents = pool(reader)
    await documents.use(source('a'), async () => undefined)
    await documents[Symbol.asyncDispose]()
    expect(reader.log).toEqual(['open a', 'close a'])
  })
})
