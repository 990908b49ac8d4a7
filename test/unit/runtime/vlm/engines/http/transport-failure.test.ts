import { errors } from 'undici'
import { describe, expect, it } from 'vitest'
import { NetworkError } from '../../../../../../src/runtime/vlm/engines/http/exchange.ts'
import { transportFailure } from '../../../../../../src/runtime/vlm/engines/http/transport-failure.ts'

const withCode = (code: string): Error => Object.assign(new Error('as the system says it'), { code })
const failureOf = (error: Error, begun = false) => transportFailure('asking the engine', 'https://h:1', new NetworkError(error), begun)

describe('transportFailure', () => {
  it.each([
    ['ECONNREFUSED', 'engine-unreachable', /nothing listens there/],
    ['ENOTFOUND', 'engine-unreachable', /name of the host is not known/],
    ['UND_ERR_CONNECT_TIMEOUT', 'engine-unreachable', /nobody answers/],
    ['UND_ERR_SOCKET', 'engine-unreachable', /connection was cut/],
    ['EWHATEVER', 'engine-unreachable', /EWHATEVER/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'engine-refused', /NODE_EXTRA_CA_CERTS/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'engine-refused', /not trusted/],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'engine-refused', /http or https/],
    ['EPROTO', 'engine-refused', /http or https/],
  ])('makes of %s: %s', (code, expected, message) => {
    expect(failureOf(withCode(code))).toMatchObject({ code: expected, message: expect.stringMatching(message) })
  })

  it('finds the code in what caused the error', () => {
    expect(failureOf(new Error('outer', { cause: withCode('ECONNREFUSED') }))).toMatchObject({ message: expect.stringMatching(/nothing listens/) })
    expect(failureOf(new Error('no code at all'))).toMatchObject({ code: 'engine-unreachable' })
  })

  it('tells something that does not speak HTTP from an answer that was cut', () => {
    const parser = new errors.HTTPParserError('as undici says it')
    expect(failureOf(parser)).toMatchObject({ code: 'engine-refused' })
    expect(failureOf(parser, true)).toMatchObject({ code: 'engine-unreachable', message: expect.stringMatching(/cut in the middle/) })
  })

  it('gives back what is no failure of the connection', () => {
    const fault = new TypeError('a fault of ours')
    expect(transportFailure('asking', 'h', fault, false)).toBe(fault)
  })
})
