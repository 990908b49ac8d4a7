import type { DocumentSubmitted } from '../schema/events.ts'
import type { Failure } from '../schema/failure.ts'

/** One entry of an archive. */
export interface ArchiveEntry {
  /** Where the enumeration goes on behind this entry. */
  readonly position: string
  readonly what: ArchivedFile | ArchivedObject | ArchivedDocument | LeftOut | Failure
}

export interface ArchivedFile {
  readonly kind: 'file'
  readonly path: string
  readonly name: string
  /** The caller's own id of the document; without it the hash of its bytes. */
  readonly documentId?: string
}

/** An object of a bucket. Whether it is a document shows when it is read. */
export interface ArchivedObject {
  readonly kind: 'object'
  /** `s3://bucket/key` */
  readonly reference: string
  readonly name: string
}

/** A document that was submitted before: its bytes are where they were. */
export interface ArchivedDocument {
  readonly kind: 'document'
  readonly document: DocumentSubmitted
}

/** A file that neither looks like a document nor is named like one. */
export interface LeftOut {
  readonly kind: 'left-out'
  readonly name: string
}

/**
 * Something that holds documents: enumerated in an order that is the same every time, from behind any position on, with memory
 * that does not grow with it. An entry that is none comes with its failure; what cannot be enumerated at all rejects.
 */
export interface ArchiveSource {
  entries(after: string): AsyncIterable<ArchiveEntry>
}
