import type { Config } from '../config/config.ts'
import { findDocumentId, idsOnTopics } from '../operations/document-id.ts'
import type { BlobStore } from '../store/blob-store.ts'
import { openStore } from '../store/open-store.ts'
import { documentArgument } from './document-argument.ts'

/**
 * The whole id of the document that `--document` names, looked for in the store that is open or will be; undefined when there is none, which it
 * says. Rejects with `document-ambiguous` and as its places do.
 */
export async function askedDocument(text: string, { kafka, store }: Config, open?: BlobStore): Promise<string | undefined> {
  const found = await findDocumentId(text, { open: async () => open ?? openStore(store), beyond: () => idsOnTopics(kafka) })
  if (found === undefined) process.stderr.write(`no such document: neither on the topics nor in the store; ${documentArgument}\n`)
  return found
}
