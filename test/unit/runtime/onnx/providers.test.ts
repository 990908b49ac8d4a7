import { describe, expect, it } from 'vitest'
import { configSchema } from '../../../../src/config/config.ts'
import { locateModel } from '../../../../src/runtime/models/locate-model.ts'
import { checkProviders, missingProvider, type ProviderBuild, providerBuild, sessionProviders } from '../../../../src/runtime/onnx/providers.ts'
import { openSession } from '../../../../src/runtime/onnx/session.ts'

const linux: ProviderBuild = {
  backends: [
    { name: 'cpu', bundled: true },
    { name: 'cuda', bundled: false },
    { name: 'tensorrt', bundled: false },
  ],
  hasLibrary: () => false,
  platform: 'linux',
  arch: 'x64',
}
const windows: ProviderBuild = { ...linux, backends: [...linux.backends.slice(0, 1), { name: 'dml', bundled: true }], platform: 'win32' }

describe('missingProvider', () => {
  it('knows what a build has', () => {
    expect(missingProvider('cpu', linux)).toBeUndefined()
    expect(missingProvider('dml', windows)).toBeUndefined()
    expect(missingProvider('cuda', { ...linux, hasLibrary: (provider) => provider === 'cuda' })).toBeUndefined()
  })

  it('says what to install, for which platform', () => {
    expect(missingProvider('cuda', linux)).toContain('--onnxruntime-node-install=cuda12')
    expect(missingProvider('tensorrt', linux)).toContain('TensorRT 10')
    expect(missingProvider('cuda', { ...linux, platform: 'darwin', arch: 'arm64' })).toContain('linux-x64 alone')
    expect(missingProvider('coreml', linux)).toContain('macOS alone')
    expect(missingProvider('dml', linux)).toContain('Windows alone')
  })

  it('refuses a list with one that is missing, whatever else is in it', () => {
    expect(() => checkProviders(['coreml', 'cpu'], linux)).toThrow(/coreml is not in this build/)
  })
})

describe('openSession', () => {
  const { models } = configSchema.parse({})
  const { path } = locateModel(models.detector, 'pp-ocr-det', '')

  it('runs on the providers that the configuration names', async () => {
    const session = await openSession(path, { inputRank: 4, outputRank: 4 }, ['cpu'])
    const { dims } = await session.run(new Float32Array(3 * 32 * 32), [1, 3, 32, 32])
    expect(dims).toEqual([1, 1, 32, 32])
    await session.release()
  })

  it('does not fall back to the processor in silence', async () => {
    const build = await providerBuild()
    const missing = (['cuda', 'coreml', 'dml'] as const).filter((provider) => missingProvider(provider, build))
    expect(missing.length).toBeGreaterThan(0) // no build has all three
    for (const provider of missing) {
      await expect(openSession(path, { inputRank: 4, outputRank: 4 }, [provider, 'cpu'])).rejects.toMatchObject({ code: 'configuration' })
    }
  })

  it('hands on the first device that the pinned process sees', () => {
    expect(sessionProviders(['cuda', 'cpu'])).toEqual([{ name: 'cuda', deviceId: 0 }, 'cpu'])
  })
})
