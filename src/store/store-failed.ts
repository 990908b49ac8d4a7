import { PagestreamError } from '../schema/failure.ts'
import { reasonOf } from '../schema/reason.ts'

/** Runs a call to the file system; what it throws becomes `store-failed`. `action` begins the message: "writing document.md". */
export async function orStoreFailed<T>(action: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (cause) {
    throw storeFailed(action, cause)
  }
}

/** The same for a call that blocks. */
export function orStoreFailedSync<T>(action: string, call: () => T): T {
  try {
    return call()
  } catch (cause) {
    throw storeFailed(action, cause)
  }
}

export function storeFailed(action: string, cause: unknown): PagestreamError {
  return cause instanceof PagestreamError ? cause : new PagestreamError('store-failed', `${action}: ${reasonOf(cause)}`, { cause })
}
