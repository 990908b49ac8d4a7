import type { Chunk } from '../schema/chunk.ts'
import type { Document, documentStatuses } from '../schema/document.ts'
import type { Failure } from '../schema/failure.ts'
import type { PageResult } from '../schema/page.ts'

/** A document was recognised and its pages are being read. */
export interface OpenedEvent {
  readonly type: 'opened'
  readonly documentId: string
  readonly name: string
  /** Pages that will be read. */
  readonly pages: number
}

/** A page has come to its end, good or failed. Pages come in any order. */
export interface PageEvent {
  readonly type: 'page'
  readonly documentId: string
  readonly name: string
  /** 0-based. */
  readonly pageIndex: number
  readonly status: 'ok' | 'failed'
  /** The page's blocks; may be asked for until the document's event has been handled. */
  result(): Promise<PageResult>
}

/** A document is done; its pages came before. */
export interface DocumentEvent {
  readonly type: 'document'
  readonly documentId: string
  readonly revision: string
  readonly name: string
  readonly path: string
  readonly status: (typeof documentStatuses)[number]
  readonly pages: number
  readonly failedPages: number
  readonly failure?: Failure
  /** Folder with the outputs; a temporary one, gone after the run, when `out` was not given. */
  readonly folder: string
  /** Files in it. */
  readonly outputs: readonly string[]
  /** Done by an earlier run with the same content and configuration: nothing was read again. */
  readonly alreadyDone: boolean
  /** Read from the outputs; reject when the format was not asked for. */
  document(): Promise<Document>
  markdown(): Promise<string>
  chunks(): Promise<Chunk[]>
}

/** A file of a folder that is no document. */
export interface PassedOverEvent {
  readonly type: 'passed-over'
  readonly path: string
}

export type ParseEvent = OpenedEvent | PageEvent | DocumentEvent | PassedOverEvent
