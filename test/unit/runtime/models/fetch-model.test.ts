import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FetchProgress, fetchModel } from '../../../../src/runtime/models/fetch-model.ts'
import type { ModelEntry, ModelManifest } from '../../../../src/runtime/models/manifest.ts'

const content = Buffer.from('the weights of a small model')
const sha256 = createHash('sha256').update(content).digest('hex')
const model: ModelEntry = {
  id: 'small',
  contract: 'pp-ocr-det',
  title: 'Small',
  licence: 'Apache-2.0',
  file: 'small.onnx',
  bytes: content.length,
  sha256,
  source: { url: 'https://example.org/small.onnx' },
}
const manifestOf = (entry: ModelEntry): ModelManifest => ({ served: [], models: [entry] })

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pagestream-fetch-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** A server that knows ranges. */
const serve =
  (bytes: Buffer, asked: string[] = []): typeof fetch =>
  async (_, init) => {
    const range = new Headers(init?.headers).get('range')
    asked.push(range ?? 'all')
    const from = range ? Number(/\d+/.exec(range)?.[0]) : 0
    return new Response(new Uint8Array(bytes.subarray(from)), { status: range ? 206 : 200 })
  }

describe('fetching a model', () => {
  it('puts the file in place and tells how far it is', async () => {
    const seen: FetchProgress[] = []
    const path = await fetchModel('small', { directory, fetch: serve(content), onProgress: (progress) => seen.push(progress) }, manifestOf(model))
    expect(readFileSync(path)).toEqual(content)
    expect(seen.at(-1)).toEqual({ id: 'small', file: 'small.onnx', receivedBytes: content.length, totalBytes: content.length })
  })

  it('goes on where a download broke off', async () => {
    writeFileSync(join(directory, 'small.onnx.part'), content.subarray(0, 10))
    const asked: string[] = []
    const path = await fetchModel('small', { directory, fetch: serve(content, asked) }, manifestOf(model))
    expect(asked).toEqual(['bytes=10-'])
    expect(readFileSync(path)).toEqual(content)
  })

  it('begins anew with a server that does not know ranges', async () => {
    writeFileSync(join(directory, 'small.onnx.part'), 'something else')
    const whole: typeof fetch = async () => new Response(new Uint8Array(content), { status: 200 })
    expect(readFileSync(await fetchModel('small', { directory, fetch: whole }, manifestOf(model)))).toEqual(content)
  })

  it('never gives the name to bytes of another checksum, and forgets them', async () => {
    const other = Buffer.from(content).reverse()
    await expect(fetchModel('small', { directory, fetch: serve(other) }, manifestOf(model))).rejects.toMatchObject({ code: 'model-missing' })
    expect(existsSync(join(directory, 'small.onnx'))).toBe(false)
    expect(existsSync(join(directory, 'small.onnx.part'))).toBe(false)
  })

  it('stops when more bytes come than the manifest names', async () => {
    const flood = Buffer.alloc(100_000)
    await expect(fetchModel('small', { directory, fetch: serve(flood) }, manifestOf(model))).rejects.toMatchObject({ code: 'model-missing' })
  })

  it('does not fetch what is there already', async () => {
    writeFileSync(join(directory, 'small.onnx'), content)
    const asked: string[] = []
    await fetchModel('small', { directory, fetch: serve(content, asked) }, manifestOf(model))
    expect(asked).toEqual([])
  })

  it('accepts what a known beginning of the checksum allows', async () => {
    const { sha256: _, ...rest } = model
    await fetchModel('small', { directory, fetch: serve(content) }, manifestOf({ ...rest, sha256Prefix: sha256.slice(0, 8) }))
    rmSync(join(directory, 'small.onnx'))
    await expect(fetchModel('small', { directory, fetch: serve(content) }, manifestOf({ ...rest, sha256Prefix: '00000000' }))).rejects.toThrow(/checksum/)
  })

  it('tells people where to go when there is no address to fetch from', async () => {
    const named = { ...model, source: { page: 'https://example.org/models', note: 'Convert it yourself.' } }
    await expect(fetchModel('small', { directory, fetch: serve(content) }, manifestOf(named))).rejects.toThrow(/Convert it yourself/)
  })
})
