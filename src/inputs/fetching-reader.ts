import type { DocumentReader, OpenDocument } from '../runtime/document-reader.ts'
import type { InputCache } from './input-cache.ts'

/** Opens documents wherever a message says that they lie, by a local copy that is kept while the document is open. */
export function fetchingReader(reader: DocumentReader, inputs: InputCache): DocumentReader {
  return {
    async open(source, options): Promise<OpenDocument> {
      const { path, release } = await inputs.use(source)
      try {
        const document = await reader.open({ ...source, path }, options)
        return {
          info: document.info,
          textLayer: (pageIndex) => document.textLayer(pageIndex),
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
