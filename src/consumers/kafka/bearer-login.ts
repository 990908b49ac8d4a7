import type { Mechanism } from 'kafkajs'
import { PagestreamError } from '../../schema/failure.ts'

/**
 * Login by a bearer token. The client's own takes every answer for a yes: a broker that takes no such token answers with a reason, waits for
 * one more message, and then closes the connection, which looks as if there were no broker.
 */
export function bearerLogin(token: () => string): Mechanism {
  return {
    mechanism: 'oauthbearer',
    authenticationProvider: ({ saslAuthenticate }) => ({
      async authenticate() {
        const auth = `n,,\u0001auth=Bearer ${token()}\u0001\u0001`
        const answer = await saslAuthenticate<string>({
          request: { encode: () => lengthPrefixed(auth) },
          response: { decode: (bytes) => bytes, parse: (bytes) => bytes.subarray(lengthBytes).toString() },
        })
        if (answer) throw new PagestreamError('kafka-refused', 'logging in by kafka.sasl.tokenFile: the broker does not take the token, or it has expired')
      },
    }),
  }
}

/** In front of a message of the protocol: its length. */
const lengthBytes = 4

function lengthPrefixed(text: string): Buffer {
  const bytes = Buffer.from(text)
  const length = Buffer.alloc(lengthBytes)
  length.writeInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}
