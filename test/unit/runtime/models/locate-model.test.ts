import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { locateModel } from '../../../../src/runtime/models/locate-model.ts'
import type { ModelManifest } from '../../../../src/runtime/models/manifest.ts'

const folder = mkdtempSync(join(tmpdir(), 'pagestream-models-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const manifest: ModelManifest = {
  served: [],
  models: [
    {
      id: 'reader',
      contract: 'pp-ocr-rec',
      title: 'A reader',
      licence: 'Apache-2.0',
      file: 'reader.onnx',
      source: { url: 'https://example.org/reader.onnx' },
      dictionary: { metadata: 'character' },
    },
    {
      id: 'layout',
      contract: 'picodet-layout',
      title: 'A layout',
      licence: 'x',
      file: 'layout.onnx',
      source: { page: 'https://example.org', note: 'Ask there.' },
    },
  ],
}

describe('locating a model', () => {
  it('finds the file in the configured folder and the dictionary inside it', () => {
    writeFileSync(join(folder, 'reader.onnx'), 'x')
    expect(locateModel('reader', 'pp-ocr-rec', folder, manifest)).toEqual({
      id: 'reader',
      path: join(folder, 'reader.onnx'),
      dictionary: { metadata: 'character' },
    })
  })

  it('takes a path instead of an id, with the dictionary beside it when there is one', () => {
    const path = join(folder, 'own.onnx')
    writeFileSync(path, 'x')
    expect(locateModel(path, 'pp-ocr-rec', '', manifest).dictionary).toEqual({ metadata: 'character' })
    writeFileSync(join(folder, 'own.txt'), 'a')
    expect(locateModel(path, 'pp-ocr-rec', '', manifest).dictionary).toEqual({ file: join(folder, 'own.txt') })
    expect(locateModel(path, 'pp-ocr-det', '', manifest)).toEqual({ id: path, path })
  })

  it('says what is missing, where it belongs and where it comes from', () => {
    const elsewhere = join(folder, 'elsewhere')
    expect(() => locateModel('reader', 'pp-ocr-rec', elsewhere, manifest)).toThrow(new RegExp(`${elsewhere}.*models fetch.*https://example.org/reader.onnx`))
    expect(() => locateModel('layout', 'picodet-layout', elsewhere, manifest)).toThrow(/Ask there\. See https:\/\/example\.org/)
  })

  it('refuses an unknown id, naming the known ones, and a model of another contract', () => {
    expect(() => locateModel('raeder', 'pp-ocr-rec', folder, manifest)).toThrow(/known: reader/)
    expect(() => locateModel('layout', 'pp-ocr-det', folder, manifest)).toThrow(/is a picodet-layout model/)
  })
})
