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
  'ILLEGAL_SASL_STATE',
  'UNSUPPORTED_VERSION',
  'UNSUPPORTED_FOR_MESSAGE_FORMAT',
])

/** Answers to somebody who is known and may not do what he asks for. */
const forbiddances: Readonly<Record<string, string>> = {
  TOPIC_AUTHORIZATION_FAILED: 'a topic',
  GROUP_AUTHORIZATION_FAILED: 'a consumer group',
  CLUSTER_AUTHORIZATION_FAILED: 'the cluster',
  TRANSACTIONAL_ID_AUTHORIZATION_FAILED: 'a transactional id',
}

/**
 * Answers to a producer whose count of what it has sent is not that of the broker. The client goes on to ask with the same count, and is
 * refused for ever: only a new producer id begins anew.
 */
const miscounts = new Set(['OUT_OF_ORDER_SEQUENCE_NUMBER', 'DUPLICATE_SEQUENCE_NUMBER', 'UNKNOWN_PRODUCER_ID', 'INVALID_PRODUCER_EPOCH'])

export const isMiscount = (error: unknown): boolean => miscounts.has(protocolType(error))

/** The protocol's name of an error, from it or from what caused it. */
export function protocolType(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; depth++) {
    if ('type' in at && typeof at.type === 'string') return at.type
    // Several topics at once: the first stands for all.
    at = 'errors' in at && Array.isArray(at.errors) ? at.errors[0] : at.cause
  }
  return ''
}

/** Why a connection cannot be made as the configuration wants it, by the code of the error. */
const tlsRefusals: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'nobody whom we trust vouches for its certificate; kafka.tls.caFile names who does',
  SELF_SIGNED_CERT_IN_CHAIN: 'nobody whom we trust vouches for its certificate; kafka.tls.caFile names who does',
  UNABLE_TO_GET_ISSUER_CERT: 'nobody whom we trust vouches for its certificate; kafka.tls.caFile names who does',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'nobody whom we trust vouches for its certificate; kafka.tls.caFile names who does',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'nobody whom we trust vouches for its certificate; kafka.tls.caFile names who does',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name than kafka.brokers says',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the port does not speak TLS',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'it asks for a certificate of ours; kafka.tls.certFile and keyFile name it',
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: 'it does not take the certificate of kafka.tls.certFile',
}

/** What fits of an error or of what caused it, the innermost last. */
function found<T>(error: unknown, pick: (error: Error) => T | undefined): T | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; depth++) {
    const picked = pick(at)
    if (picked !== undefined) return picked
    at = at.cause
  }
  return undefined
}

const ours = (error: unknown): PagestreamError | undefined => found(error, (at) => (at instanceof PagestreamError ? at : undefined))

const tlsRefusal = (error: unknown): string | undefined =>
  found(error, (at) => ('code' in at && typeof at.code === 'string' ? tlsRefusals[at.code] : undefined))

const isOfClient = (error: unknown): boolean => error instanceof Error && error.name.startsWith('KafkaJS')

const hasName = (error: unknown, name: string): boolean => found(error, (at) => at.name === name || undefined) === true

/** Whether it may heal by waiting: no connection, a leader that moves, a coordinator that loads. */
export function isPassing(error: unknown): boolean {
  if (!isOfClient(error) || ours(error)?.class === 'input' || tlsRefusal(error) !== undefined) return false
  const type = protocolType(error)
  if (refusals.has(type) || type in forbiddances || type === 'UNKNOWN_TOPIC_OR_PARTITION') return false
  return !hasName(error, 'KafkaJSSASLAuthenticationError')
}

/** No broker coordinates the group: we have no right to it, or the one that does is going or coming. */
export const isCoordinatorMissing = (error: unknown): boolean => hasName(error, 'KafkaJSGroupCoordinatorNotFound')

/** What a connection failed with: the operating system's code, or that nothing came in time. */
function connectionReason(error: unknown): string | undefined {
  return found(error, (at) => {
    // Node says so when a server hangs up on the first bytes of TLS, in words alone.
    if (at.message.includes('before secure TLS connection')) return 'the connection was closed before TLS began; the port may not speak it'
    if ('code' in at && typeof at.code === 'string' && /^[A-Z0-9_]{3,60}$/.test(at.code)) return `no connection (${at.code})`
    return at.name === 'KafkaJSConnectionError' || at.name === 'KafkaJSRequestTimeoutError' ? 'no answer' : undefined
  })
}

/** An error of the client in our words. `action` begins the message: "publishing to …". */
export function clientFailure(error: unknown, action: string): PagestreamError {
  const known = ours(error)
  if (known) return known
  const type = protocolType(error)
  if (type === 'UNKNOWN_TOPIC_OR_PARTITION') return new PagestreamError('kafka-topic-missing', `${action}: the topic does not exist`, { cause: error })
  if (type === 'MESSAGE_TOO_LARGE' || type === 'RECORD_LIST_TOO_LARGE')
    return new PagestreamError('message-too-large', `${action}: the broker takes no record of this size`, { cause: error })
  if (type === 'INVALID_RECORD') return new PagestreamError('message-refused', `${action}: the broker takes no such record (${type})`, { cause: error })
  if (refusals.has(type) || hasName(error, 'KafkaJSSASLAuthenticationError')) {
    return new PagestreamError('kafka-refused', `${action}: the broker refused it (${type || 'authentication failed'})`, { cause: error })
  }
  const refusal = tlsRefusal(error)
  if (refusal !== undefined) return new PagestreamError('kafka-refused', `${action}: ${refusal}`, { cause: error })
  const forbidden = forbiddances[type]
  if (forbidden !== undefined) return new PagestreamError('kafka-forbidden', `${action}: no right to ${forbidden} (${type})`, { cause: error })
  if (isCoordinatorMissing(error)) {
    // The client asks every broker and does not tell what each has answered; that there are brokers, it knows.
    return new PagestreamError('kafka-forbidden', `${action}: no broker coordinates the consumer group for us: no right to it, or not up yet`, { cause: error })
  }
  if (hasName(error, 'KafkaJSConnectionClosedError')) {
    return new PagestreamError('kafka-unreachable', `${action}: the connection was closed; a broker may ask for TLS or a login there, or it is none`, {
      cause: error,
    })
  }
  return new PagestreamError('kafka-unreachable', `${action}: ${type !== '' ? `the broker answers ${type}` : (connectionReason(error) ?? reasonOf(error))}`, {
    cause: error,
  })
}
