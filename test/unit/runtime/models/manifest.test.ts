import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { configSchema } from '../../../../src/config/config.ts'
import { engineKinds } from '../../../../src/config/vlm-config.ts'
import { placeOf } from '../../../../src/runtime/models/locate-model.ts'
import { parseManifest, shippedManifest } from '../../../../src/runtime/models/manifest.ts'
import { modelStates } from '../../../../src/runtime/models/verify-model.ts'
import { dialectFor } from '../../../../src/runtime/vlm/engines/http/dialects/dialect-for.ts'
import { vlmFamilies } from '../../../../src/runtime/vlm/page-reader.ts'

describe('the model manifest', () => {
  it('lists the models of the default configuration under the contracts that they fill', () => {
    const { models } = configSchema.parse({})
    const contractOf = (id: string) => shippedManifest().models.find((model) => model.id === id)?.contract
    expect(contractOf(models.detector)).toBe('pp-ocr-det')
    expect(contractOf(models.recognizer)).toBe('pp-ocr-rec')
  })

  it('names the bytes of the models that are installed with the package', async () => {
    const ids = shippedManifest()
      .models.filter((model) => 'package' in model.source)
      .map((model) => model.id)
    const states = await modelStates('', { checksums: true, ids })
    expect(states.map((state) => [state.id, state.state])).toEqual(ids.map((id) => [id, 'ok']))
  })

  it('says for every model where it comes from and where it belongs', () => {
    for (const model of shippedManifest().models) {
      const place = placeOf(model, '/models')
      expect(place, model.id).toBeDefined()
      if ('package' in model.source) expect(existsSync(place ?? '')).toBe(true)
    }
  })

  it('has a model of every family, on the servers that the family is asked on and no others', () => {
    const { served } = shippedManifest()
    expect(new Set(served.map((model) => model.family))).toEqual(new Set(vlmFamilies))
    for (const { id, family, engines } of served) {
      const servers = engineKinds.filter((kind) => kind !== 'llama-cpp')
      for (const kind of servers) {
        const ask = () => dialectFor(family, kind)
        if (engines.includes(kind)) expect(ask, `${id} on ${kind}`).not.toThrow()
        else expect(ask, `${id} on ${kind}`).toThrow('does not run on')
      }
    }
  })

  it('refuses two models of one id and addresses without encryption', () => {
    const model = { id: 'a', contract: 'pp-ocr-det', title: 't', licence: 'l', file: 'a.onnx', source: { url: 'https://example.org/a.onnx' } }
    expect(() => parseManifest(JSON.stringify({ models: [model, model] }))).toThrow(/unique/)
    expect(() => parseManifest(JSON.stringify({ models: [{ ...model, source: { url: 'http://example.org/a.onnx' } }] }))).toThrow()
    expect(() => parseManifest(JSON.stringify({ models: [{ ...model, file: '../a.onnx' }] }))).toThrow()
  })
})
