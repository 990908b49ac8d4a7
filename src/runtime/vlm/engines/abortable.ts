import { PagestreamError } from '../../../schema/failure.ts'

/** What `promise` settles with, or a `cancelled` error as soon as the signal is aborted. `action`: what was being done. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined, action: string): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new PagestreamError('cancelled', `${action}: it was stopped`))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
