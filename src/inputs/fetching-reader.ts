import type { DocumentReader, OpenDocument, OpenOptions } from '../runtime/document-reader.ts'
import { PagestreamError } from '../schema/failure.ts'
import type { DocumentSource } from '../schema/page.ts'
import type { InputCache } from './input-cache.ts'

/**
 * Opens documents wherever a message says that they lie, by a local copy that is kept while the document is open. `passwords` are tried in
 * turn on one that asks for a password.
 */
export function fetchingReader(reader: DocumentReader, inputs: InputCache, passwords: () => Promise<readonly string[]>): DocumentReader {
  return {
    async open(source, options): Promise<OpenDocument> {
      const { path, release } = await inputs.use(source)
      try {
        const document = await openWith(reader, { ...source, path }, options, passwords)
        return {
          info: document.info,
          textLayer: (pageIndex, asked) => document.textLayer(pageIndex, asked),
          picture: (pageIndex, asked) => document.picture(pageIndex, asked),
          async [Symbol.asyncDispose]() {
            await document[Symbol.asyncDispose]()
            await release()
          },
        }
      } catch (error) {
        await release()
        throw error
      }
    },
    [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
  }
}

async function openWith(
  reader: DocumentReader,
  source: DocumentSource,
  options: OpenOptions,
  passwords: () => Promise<readonly string[]>,
): Promise<OpenDocument> {
  try {
    return await reader.open(source, options)
  } catch (error) {
    if (!isCode(error, 'password-required')) throw error
    // A file that has gone since the start: the document asks for a password, as without one.
    for (const password of await passwords().catch(() => [])) {
      try {
        return await reader.open(source, { password })
      } catch (refused) {
        if (!isCode(refused, 'password-wrong')) throw refused
      }
    }
    throw error
  }
}

const isCode = (error: unknown, code: PagestreamError['code']): boolean => error instanceof PagestreamError && error.code === code
