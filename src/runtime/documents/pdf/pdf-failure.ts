import type { FailureCode } from '../../../schema/failure.ts'

/**
 * A failure inside a PDF worker. The pool turns it into a `PagestreamError`; workers have a class of their own because
 * loading the schemas would take longer than reading the first page.
 */
export class PdfFailure extends Error {
  readonly code: FailureCode

  constructor(code: FailureCode, message: string) {
    super(message)
    this.name = 'PdfFailure'
    this.code = code
  }
}
