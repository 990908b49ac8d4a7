import { describe, expect, it } from 'vitest'
import { redacted } from '../../../../src/telemetry/log/redact.ts'

describe('redacted', () => {
  it.each([
    ['asking https://someone:mark@host.invalid/v1: no', 'asking https://host.invalid/v1: no'],
    ['amqp://a@b:mark@host/x', 'amqp://host/x'],
    ['GET https://host/a.pdf?x=1&token=mark&y=2', 'GET https://host/a.pdf?x=1&token=[hidden]&y=2'],
    ['X-Amz-Signature=mark&X-Amz-Credential=mark', 'X-Amz-Signature=[hidden]&X-Amz-Credential=[hidden]'],
    ['authorization: Bearer mark.mark-mark', 'authorization: Bearer [hidden]'],
    ['Basic bWFyazptYXJr was refused', 'Basic [hidden] was refused'],
    ['{"api_key":"mark","model":"m"}', '{"api_key":"[hidden]","model":"m"}'],
    ['sasl.password = mark; next', 'sasl.password = [hidden]; next'],
    ['-----BEGIN RSA PRIVATE KEY-----\nmark\n-----END RSA PRIVATE KEY-----', '[hidden]'],
    ['-----BEGIN PRIVATE KEY-----\nmark', '[hidden]'],
    ['jwt eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.mark', 'jwt [hidden]'],
  ])('hides what is secret in %s', (text, left) => {
    expect(redacted(text)).toBe(left)
    expect(redacted(redacted(text))).toBe(left)
  })

  it.each(['page-corrupt: opening page 3: it is cut off', 'it used 512 tokens of 2048', 'https://host/a@b', 'mail to a@b.example', 'key 7 of 9'])(
    'leaves %s as it is',
    (text) => expect(redacted(text)).toBe(text),
  )

  it('cuts long texts, keeps to one line, and takes no longer for hostile ones', () => {
    expect(redacted('a\r\n  b')).toBe('a b')
    expect(redacted('x'.repeat(5000))).toHaveLength(2001)
    const begun = performance.now()
    for (const hostile of ['password=', 'https://', 'a-', '-----BEGIN ', 'eyJ', 'a://b', 'token"', ' \n']) redacted(hostile.repeat(20_000))
    expect(performance.now() - begun).toBeLessThan(2_000)
  })
})
