import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../../src/config/load-config.ts'
import { isRefusedAddress } from '../../../src/inputs/private-address.ts'
import { allowedReference, referenceName, refuseSecrets, withoutSecrets } from '../../../src/inputs/reference.ts'

const inputsOf = (inputs: object) => loadConfig({ env: {}, overrides: { inputs } }).inputs
const inputs = inputsOf({ buckets: ['open', 'mixed/public'], hosts: ['files.example.com', '*.wide.example', 'port.example:8443'] })

describe('references', () => {
  it.each(['s3://open/a.pdf', 's3://mixed/public/a.pdf', 'https://files.example.com/a', 'https://a.wide.example/', 'https://port.example:8443/a'])(
    'allows %s, which the configuration lists',
    (text) => void allowedReference(text, inputs),
  )

  it.each([
    's3://other/a.pdf',
    's3://mixed/private/a.pdf',
    's3://mixed/publicity/a.pdf',
    's3://open/../other/a.pdf',
    's3://open',
    's3://user:pass@open/a.pdf',
    'http://files.example.com/a',
    'ftp://files.example.com/a',
    'https://other.example/a',
    'https://files.example.com.evil.example/a',
    'https://files.example.com:444/a',
    'https://port.example/a',
    'https://wide.example/a',
    'https://evilwide.example/a',
    'https://127.0.0.1/a',
    'https://user:hunter2@files.example.com/a',
  ])('refuses %s', (text) => {
    expect(() => allowedReference(text, inputs)).toThrow(expect.objectContaining({ code: 'input-forbidden', message: expect.not.stringContaining('hunter2') }))
  })

  it('allows none where the configuration lists none', () => {
    for (const text of ['s3://open/a', 'https://files.example.com/a'])
      expect(() => allowedReference(text, inputsOf({}))).toThrow(expect.objectContaining({ code: 'input-forbidden' }))
  })

  it('keeps URLs that open by what stands in them off the topic', () => {
    const signed = allowedReference('https://files.example.com/a.pdf?X-Amz-Signature=abc', inputs)
    expect(() => refuseSecrets(signed)).toThrow(expect.objectContaining({ code: 'input-forbidden', message: expect.not.stringContaining('abc') }))
    refuseSecrets(allowedReference('https://files.example.com/a.pdf?page=2', inputs))
    expect(referenceName(signed)).toBe('a.pdf')
    expect(withoutSecrets('https://u:p@files.example.com/a.pdf?sig=x#y')).toBe('https://files.example.com/a.pdf')
  })

  it('shows of what is no URL the scheme alone, as a password with a slash hides where the host begins', () => {
    expect(withoutSecrets('https://u:p/w@files.example.com/a.pdf')).toBe('https://…')
  })
})

describe('addresses', () => {
  it.each(['10.1.2.3', '127.0.0.1', '172.31.0.1', '192.168.0.1', '100.64.0.1', '0.0.0.0', '224.0.0.1', '::1', 'fd12::1', '2001:db8::1'])(
    'refuses %s, and opens no public one in its place',
    (address) => expect(isRefusedAddress(address, false)).toBe(true),
  )
  it.each(['169.254.169.254', 'fe80::1', 'fd00:ec2::254', '::ffff:169.254.169.254', '64:ff9b::a9fe:a9fe'])(
    'refuses %s even where private networks are open',
    (address) => expect(isRefusedAddress(address, true)).toBe(true),
  )
  it.each(['93.184.216.34', '2606:2800:220:1::1'])('takes %s', (address) => expect(isRefusedAddress(address, false)).toBe(false))
  it('takes private networks where they are open', () =>
    expect(['10.1.2.3', '127.0.0.1', '::1', 'fd12::1'].map((a) => isRefusedAddress(a, true))).not.toContain(true))
})
