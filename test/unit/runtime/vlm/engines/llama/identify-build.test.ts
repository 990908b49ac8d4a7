import { describe, expect, it } from 'vitest'
import { identifyBuild } from '../../../../../../src/runtime/vlm/engines/llama/identify-build.ts'
import { knownBuilds } from '../../../../../../src/runtime/vlm/engines/llama/known-builds.ts'

const [known] = knownBuilds
const { llama, mtmd } = known?.sha256 ?? { llama: '', mtmd: '' }

describe('which build libraries are', () => {
  it('is told by their checksums, whatever they say of themselves', () => {
    expect(identifyBuild({ llamaSha256: llama, mtmdSha256: mtmd, commit: undefined })).toBe(known)
  })

  it('is told by the commit where they were packed by somebody else', () => {
    expect(identifyBuild({ llamaSha256: 'a', mtmdSha256: mtmd, commit: '7e4c0a9' })).toBe(known)
    expect(identifyBuild({ llamaSha256: 'a', mtmdSha256: 'b', commit: '7e4c0a91d2e3f40516273849506a7b8c9d0e1f20' })).toBe(known)
  })

  it.each(['0000000', '7e4c0a', '', 'unknown', '7e4c0a9-dirty', undefined])('is not known for the commit %s, and the known ones are named', (commit) => {
    expect(() => identifyBuild({ llamaSha256: llama, mtmdSha256: 'b', commit })).toThrow(/not a build that is known to work; known are 10434/)
  })
})
