import { PagestreamError } from '../schema/failure.ts'
import { objectMissing } from './object-failure.ts'

/** What the SDK throws, as far as it is looked at. */
interface ServiceError {
  readonly name?: string
  readonly $metadata?: { readonly httpStatusCode?: number }
}

const nameOf = (error: unknown): string => (error as ServiceError | undefined)?.name ?? ''
export const statusOf = (error: unknown): number | undefined => (error as ServiceError | undefined)?.$metadata?.httpStatusCode

/** The condition of a write does not hold: somebody else was first. */
export const isTaken = (error: unknown): boolean => nameOf(error) === 'PreconditionFailed' || statusOf(error) === 412
/** Another conditional write to the key is under way: it may yet fail. */
export const isConflict = (error: unknown): boolean => nameOf(error) === 'ConditionalRequestConflict' || statusOf(error) === 409
/** The server knows no conditional writes. */
export const isNotImplemented = (error: unknown): boolean => nameOf(error) === 'NotImplemented' || statusOf(error) === 501
/** Of an object or an upload; a bucket that is not there is another matter. */
export const isMissing = (error: unknown): boolean => nameOf(error) !== 'NoSuchBucket' && (nameOf(error) === 'NoSuchKey' || statusOf(error) === 404)

/** `artifact-missing` for an object that is not there, else `store-failed`. The answer's text is not passed on: it may hold what was sent. */
export function s3Failure(action: string, key: string, cause: unknown): PagestreamError {
  if (cause instanceof PagestreamError) return cause
  return isMissing(cause) ? objectMissing(key, cause) : new PagestreamError('store-failed', `${action} ${key}: ${reason(cause)}`, { cause })
}

/** Of one place: the bucket is not there, or those whom the server knows us as may not read it. Credentials that are wrong say nothing of a place. */
export function isPlaceRefused(error: unknown): boolean {
  const name = nameOf(error)
  if (badCredentials.has(name)) return false
  return name === 'NoSuchBucket' || name === 'AccessDenied' || statusOf(error) === 401 || statusOf(error) === 403
}

const badCredentials = new Set(['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'ExpiredToken', 'InvalidToken', 'RequestTimeTooSkewed'])
const refusals = new Set(['NoSuchBucket', 'AccessDenied', 'InvalidAccessKeyId', 'SignatureDoesNotMatch', 'CredentialsProviderError', 'PermanentRedirect'])

/** Why a bucket does not open: `store-refused` for what no waiting heals. */
export function bucketFailure(bucket: string, cause: unknown): PagestreamError {
  const status = statusOf(cause)
  const refused = refusals.has(nameOf(cause)) || status === 401 || status === 403 || status === 404
  return new PagestreamError(refused ? 'store-refused' : 'store-failed', `opening the bucket ${bucket}: ${reason(cause)}`, { cause })
}

function reason(cause: unknown): string {
  const { code } = cause as { code?: unknown }
  const name = nameOf(cause) || 'no answer'
  const status = statusOf(cause)
  return typeof code === 'string' && code !== name ? `${name} (${code})` : status ? `${name} (${status})` : name
}
