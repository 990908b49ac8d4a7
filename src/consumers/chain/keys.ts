import type { PageRef } from '../../schema/page.ts'
import { pagesPerKey } from '../../schema/topics.ts'

/** Where the artifacts of a page and a document lie in the store, and by what key their events are partitioned. */

/** Prefix of what only lives while the page is on its way. */
export const passingKey = (page: Pick<PageRef, 'documentId' | 'revision' | 'pageIndex'>): string =>
  `pages/${page.documentId}/${page.revision}/${page.pageIndex}`
export const textLayerKey = (page: PageRef): string => `${passingKey(page)}/text-layer`
export const uprightLayerKey = (page: PageRef): string => `${passingKey(page)}/text-layer-upright`
export const verdictKey = (page: PageRef): string => `${passingKey(page)}/verdict`
export const blocksKey = (page: PageRef): string => `${passingKey(page)}/blocks`

export const openedKey = (documentId: string, revision: string): string => `opened/${documentId}/${revision}`
export const resultsKey = (documentId: string, revision: string): string => `results/${documentId}-${revision}`
export const resultKey = (documentId: string, revision: string, pageIndex: number): string => `${resultsKey(documentId, revision)}/${pageIndex}`

/** The last word on a revision of a document: `documents.assembled` as it was sent. */
export const doneKey = (documentId: string, revision: string): string => `done/${documentId}/${revision}`
/** A document that ended with pages that may be read another time: `documents.assembled` as it was sent. */
export const unfinishedKey = (documentId: string, revision: string): string => `unfinished/${documentId}/${revision}`
/** Which chunks of a document its readers have, in versions. */
export const chunkStateKey = (documentId: string): string => `chunks/${documentId}`

/** Neighbouring pages share a partition, a long document spreads over all. */
export const pageEventKey = (page: PageRef): string => `${page.documentId}/${Math.floor(page.pageIndex / pagesPerKey)}`
