import type { FailureCode } from '../../schema/failure.ts'

/** What goes to a session worker … */
export interface JobMessage<Request> {
  readonly id: number
  readonly request: Request
}

/** … and what comes back, once for each job. */
export type ReplyMessage<Reply> =
  | { readonly id: number; readonly reply: Reply }
  | { readonly id: number; readonly error: { readonly code: FailureCode; readonly message: string } }
