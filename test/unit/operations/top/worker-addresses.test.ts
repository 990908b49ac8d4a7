import { describe, expect, it } from 'vitest'
import { addressesOf, namedWorkers } from '../../../../src/operations/top/worker-addresses.ts'

describe('the workers that top looks at', () => {
  it('are named by host and port, by URL, by ports that count up, and by a name with many addresses', async () => {
    const named = namedWorkers(['a:9464', 'http://b:1/metrics', ' https://c ', '[::1]:9464', 'd:9400-9402', 'dns:pods.example:9464', 'a:9464'])
    const find = async (name: string) => (name === 'pods.example' ? ['10.0.0.1', 'fd00::2'] : [])
    expect(await addressesOf(named, find)).toEqual([
      ...['http://a:9464', 'http://b:1', 'https://c', 'http://[::1]:9464', 'http://d:9400', 'http://d:9401', 'http://d:9402'],
      ...['http://10.0.0.1:9464', 'http://[fd00::2]:9464'],
    ])
  })

  it('are none where a name is not known', async () => {
    const unknown = () => Promise.reject(new Error('ENOTFOUND'))
    expect(await addressesOf(namedWorkers(['dns:nowhere.invalid:9464']), unknown)).toEqual([])
  })

  it.each([
    [[]],
    [['ftp://a']],
    [['http://a/other']],
    [['a:9402-9400']],
    [['a:1-65535']],
    [['dns:a']],
    [['dns:a:70000']],
    [['http://user:mark@a']],
    [['a?x=1']],
  ])('are refused as %j, without a password', (list) => {
    expect(() => namedWorkers(list)).toThrow(expect.objectContaining({ code: 'configuration', message: expect.not.stringContaining('mark') }))
  })
})
