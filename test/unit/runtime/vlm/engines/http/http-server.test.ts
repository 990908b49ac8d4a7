import { describe, expect, it } from 'vitest'
import { basePathOf } from '../../../../../../src/runtime/vlm/engines/http/http-server.ts'
import { shownModel } from '../../../../../../src/runtime/vlm/engines/http/served-model.ts'

describe('the address of a server', () => {
  it.each([
    ['http://h:8000', ''],
    ['http://h:8000/', ''],
    ['http://h:8000/v1', ''],
    ['http://h:8000/v1/', ''],
    ['http://h/models/a', '/models/a'],
    ['http://h/models/a/v1/', '/models/a'],
    ['http://h/v1/a', '/v1/a'],
  ])('takes %s as one with the base %j', (url, base) => {
    expect(basePathOf(new URL(url))).toBe(base)
  })
})

describe('shownModel', () => {
  it('shows no folders of the machine that serves', () => {
    expect(shownModel('/srv/models/MinerU2.5-Pro')).toBe('MinerU2.5-Pro')
    expect(shownModel('opendatalab/MinerU2.5-Pro-2605-1.2B')).toBe('opendatalab/MinerU2.5-Pro-2605-1.2B')
  })
})
