import type { DocumentInfo } from '../../../schema/document.ts'
import type { FailureCode } from '../../../schema/failure.ts'
import type { TextLayer } from '../../../schema/text-layer.ts'
import type { PackedWords } from '../../../text-layer/pack-words.ts'
import type { Picture, PictureOptions } from '../../document-reader.ts'
import type { PdfLimits } from './pdf-document.ts'
import type { WasmModule } from './web-assembly.ts'

/** What a worker must know before its first job. */
export interface WorkerSettings {
  readonly limits: PdfLimits
  readonly engineMemoryBytes: number
  /** Documents that a worker keeps open. */
  readonly openDocuments: number
}

export interface PdfSource {
  /** Names the document between pool and worker. */
  readonly key: number
  readonly path: string
  readonly password?: string | undefined
}

export type PdfTask =
  | { readonly kind: 'info' }
  | { readonly kind: 'text-layer'; readonly pageIndex: number; readonly sizeOnly: boolean }
  | { readonly kind: 'picture'; readonly pageIndex: number; readonly options: PictureOptions }

export interface PackedTextLayer extends Omit<TextLayer, 'words'> {
  readonly words: PackedWords
}

export interface PdfAnswers {
  readonly info: DocumentInfo
  readonly 'text-layer': PackedTextLayer
  readonly picture: Picture
}
export type PdfAnswer = PdfAnswers[keyof PdfAnswers]

/** `engine` and `settings` come once, in any order; jobs are done in the order in which they come, once both are there. */
export type ToWorker =
  | { readonly kind: 'engine'; readonly module: WasmModule }
  | { readonly kind: 'settings'; readonly settings: WorkerSettings }
  | { readonly kind: 'job'; readonly id: number; readonly source: PdfSource; readonly task: PdfTask }
  | { readonly kind: 'close'; readonly key: number }

/** `fatal`: the worker's engine must not be used again; it answers no more jobs. */
export type FromWorker =
  | { readonly kind: 'done'; readonly id: number; readonly value: PdfAnswer; readonly heapBytes: number }
  | { readonly kind: 'failed'; readonly id: number; readonly code: FailureCode; readonly message: string; readonly fatal: boolean }
