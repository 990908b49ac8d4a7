import { errors } from 'undici'
import { PagestreamError } from '../../../../schema/failure.ts'
import { NetworkError } from './exchange.ts'

/** In codes of OpenSSL and Node. */
const certificatePattern = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ISSUER/

const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return ''
  const { code, cause } = error as Error & { code?: unknown }
  return typeof code === 'string' ? code : codeOf(cause)
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ENOTFOUND: 'the name of the host is not known',
  EAI_AGAIN: 'the name of the host could not be looked up',
  EPIPE: 'the connection was cut',
  ETIMEDOUT: 'nobody answers',
  UND_ERR_CONNECT_TIMEOUT: 'nobody answers',
  UND_ERR_SOCKET: 'the connection was cut',
}

/** The failure that an error of a connection stands for; other errors are given back as they are. `begun`: the head of an answer had come. */
export function transportFailure(action: string, address: string, error: unknown, begun: boolean): unknown {
  if (!(error instanceof NetworkError)) return error
  const code = codeOf(error)
  if (certificatePattern.test(code)) {
    return new PagestreamError(
      'engine-refused',
      `${action}: the certificate of ${address} is not trusted (${code}). Name its authority in NODE_EXTRA_CA_CERTS`,
      {
        cause: error,
      },
    )
  }
  if (!begun && (error.cause instanceof errors.HTTPParserError || code.startsWith('ERR_SSL_') || code === 'EPROTO')) {
    const words = 'does not speak the protocol of its address. Check http or https, and the port, in vlm.engine.urls'
    return new PagestreamError('engine-refused', `${action}: ${address} ${words}`, { cause: error })
  }
  const reason = begun ? 'the answer was cut in the middle' : (reasons[code] ?? `the connection failed (${code || 'no reason given'})`)
  return new PagestreamError('engine-unreachable', `${action}: ${address}: ${reason}`, { cause: error })
}
