import { type FailureCode, PagestreamError, toFailure } from '../../../schema/failure.ts'

/** What an engine may fail with because of one question, again and again. */
const ofEither: ReadonlySet<FailureCode> = new Set(['engine-failed', 'engine-timeout'])

/**
 * Whether a question has failed for what it asks, and not for the engine: the model makes nothing of it, there is no memory for it, or the
 * engine breaks at it, tried again and again, while it answers others. `othersAnswered`: it has, since this one was asked.
 */
export const isOfQuestion = (failure: PagestreamError, othersAnswered: boolean): boolean =>
  failure.class === 'model' || failure.code === 'engine-memory' || (othersAnswered && ofEither.has(failure.code))

/** The failure of a page's first question: one that is the question's is one of the model's, so that the page is read without it. */
export function asOfQuestion(failure: PagestreamError, othersAnswered: boolean): PagestreamError {
  if (failure.class === 'model' || !isOfQuestion(failure, othersAnswered)) return failure
  return new PagestreamError('answer-invalid', `${failure.message}; the engine answers others`, { cause: failure })
}

/** Of an error of any kind. */
export function toPageFailure(error: unknown): PagestreamError {
  if (error instanceof PagestreamError) return error
  const { code, message } = toFailure(error)
  return new PagestreamError(code, message, { cause: error })
}
