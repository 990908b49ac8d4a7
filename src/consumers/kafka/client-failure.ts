import { PagestreamError } from '../../schema/failure.ts'
import { reasonOf } from '../../schema/reason.ts'

/** Answers of a broker that will be the same next time: what we ask for is wrong or not allowed. */
const refusals = new Set([
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'INVALID_RECORD',
  'INVALID_TOPIC_EXCEPTION',
  'SASL_AUTHENTICATION_FAILED',
  'UNSUPPORTED_SASL_MECHANISM',
  'UNSUPPORTED_VERSION',
  'UNSUPPORTED_FOR_MESSAGE_FORMAT',
  'INVALID_PRODUCER_EPOCH',
])

/** Answers to somebody who is known and may not do what he asks for. */
const forbiddances: Readonly<Record<string, string>> = {
  TOPIC_AUTHORIZATION_FAILED: 'a topic',
  GROUP_AUTHORIZATION_FAILED: 'a consumer group',
  CLUSTER_AUTHORIZATION_FAILED: 'the cluster',
  TRANSACTIONAL_ID_AUTHORIZATION_FAILED: 'a transactional id',
}

/** The protocol's name of an error, from it or from what caused it. */
export function protocolType(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; depth++) {
    if ('type' in at && typeof at.type === 'string') return at.type
    // Several topics at once: the first stands for all.
    at = 'errors' in at && Array.isArray(at.errors) ? at.errors[0] : at.cause
  }
  return ''
}

const isOfClient = (error: unknown): boolean => error instanceof Error && error.name.startsWith('KafkaJS')

function hasName(error: unknown, name: string): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; depth++) {
    if (at.name === name) return true
    at = at.cause
  }
  return false
}

/** Whether it may heal by waiting: no connection, a leader that moves, a coordinator that loads. */
export function isPassing(error: unknown): boolean {
  if (!isOfClient(error)) return false
  const type = protocolType(error)
  if (refusals.has(type) || type in forbiddances || type === 'UNKNOWN_TOPIC_OR_PARTITION') return false
  return !hasName(error, 'KafkaJSSASLAuthenticationError')
}

/** What a connection failed with: the operating system's code, or that nothing came in time. */
function connectionReason(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; depth++) {
    if ('code' in at && typeof at.code === 'string' && /^[A-Z0-9_]{3,60}$/.test(at.code)) return `no connection (${at.code})`
    if (at.name === 'KafkaJSConnectionError' || at.name === 'KafkaJSRequestTimeoutError') return 'no answer'
    at = at.cause
  }
  return undefined
}

/** An error of the client in our words. `action` begins the message: "publishing to …". */
export function clientFailure(error: unknown, action: string): PagestreamError {
  if (error instanceof PagestreamError) return error
  const type = protocolType(error)
  if (type === 'UNKNOWN_TOPIC_OR_PARTITION') return new PagestreamError('kafka-topic-missing', `${action}: the topic does not exist`, { cause: error })
  if (type === 'MESSAGE_TOO_LARGE' || type === 'RECORD_LIST_TOO_LARGE')
    return new PagestreamError('message-too-large', `${action}: the broker takes no record of this size`, { cause: error })
  if (refusals.has(type) || hasName(error, 'KafkaJSSASLAuthenticationError')) {
    return new PagestreamError('kafka-refused', `${action}: the broker refused it (${type || 'authentication failed'})`, { cause: error })
  }
  const forbidden = forbiddances[type]
  if (forbidden !== undefined) return new PagestreamError('kafka-forbidden', `${action}: no right to ${forbidden} (${type})`, { cause: error })
  if (hasName(error, 'KafkaJSGroupCoordinatorNotFound')) {
    // The client asks every broker and does not tell what each has answered; that there are brokers, it knows.
    return new PagestreamError('kafka-forbidden', `${action}: no broker coordinates the consumer group for us: no right to it, or not up yet`, { cause: error })
  }
  if (hasName(error, 'KafkaJSConnectionClosedError')) {
    return new PagestreamError('kafka-unreachable', `${action}: the broker closed the connection; it may ask for TLS or a login`, { cause: error })
  }
  return new PagestreamError('kafka-unreachable', `${action}: ${type !== '' ? `the broker answers ${type}` : (connectionReason(error) ?? reasonOf(error))}`, {
    cause: error,
  })
}
