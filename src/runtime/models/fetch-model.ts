import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { PagestreamError } from '../../schema/failure.ts'
import { howToGet, placeOf } from './locate-model.ts'
import type { ModelFile, ModelManifest } from './manifest.ts'
import { shippedManifest } from './manifest.ts'
import { unpackModel } from './unpack-model.ts'
import { filesOf, matchesChecksum, sha256OfFile } from './verify-model.ts'

export interface FetchProgress {
  readonly id: string
  readonly file: string
  readonly receivedBytes: number
  readonly totalBytes?: number
}

export interface FetchOptions {
  readonly directory: string
  readonly onProgress?: (progress: FetchProgress) => void
  readonly signal?: AbortSignal
  /** Stands in for the network in tests. */
  readonly fetch?: typeof fetch
  /** More than the manifest's size, or than this where it names none, is refused. Default 1 GiB. */
  readonly maxBytes?: number
}

/**
 * Brings the files of a model to their place and returns the path of the model, of an archive that of the folder that it is unpacked into.
 * An interrupted download goes on where it stopped; a file gets its name only after its checksum is right.
 * Rejects with `model-missing` when the model is unknown, has no address, or what came is not what the manifest names.
 */
export async function fetchModel(id: string, options: FetchOptions, manifest: ModelManifest = shippedManifest()): Promise<string> {
  const entry = manifest.models.find((model) => model.id === id)
  if (!entry) throw new PagestreamError('model-missing', `fetching the model "${id}": the manifest does not list it`)
  for (const file of filesOf(entry)) await fetchFile(id, file, options)
  const path = placeOf(entry, options.directory)
  if (!path) throw new PagestreamError('model-missing', `fetching the model "${id}": ${howToGet(id, entry, options.directory)}`)
  return entry.unpack ? await unpackModel(entry, path, options.directory) : path
}

async function fetchFile(id: string, file: ModelFile, options: FetchOptions): Promise<void> {
  const place = placeOf(file, options.directory)
  if (place && (await sizeOf(place)) !== undefined && matchesChecksum(file, await sha256OfFile(place))) return
  if (!place || !('url' in file.source)) throw new PagestreamError('model-missing', `fetching the model "${id}": ${howToGet(id, file, options.directory)}`)
  await mkdir(dirname(place), { recursive: true })
  const part = `${place}.part`
  await download(id, file, file.source.url, part, options)
  const sha256 = await sha256OfFile(part)
  if (!matchesChecksum(file, sha256)) {
    await rm(part, { force: true })
    throw new PagestreamError('model-missing', `fetching the model "${id}": ${file.file} came with the checksum ${sha256}, not the one of the manifest`)
  }
  await rename(part, place)
}

async function download(id: string, file: ModelFile, url: string, part: string, options: FetchOptions): Promise<void> {
  const limit = file.bytes ?? options.maxBytes ?? 1024 ** 3
  const have = (await sizeOf(part)) ?? 0
  if (file.bytes !== undefined && have === file.bytes) return
  const ask = options.fetch ?? fetch
  const signal = options.signal ? { signal: options.signal } : {}
  const from = have > 0 && have < limit ? have : 0
  const answer = await ask(url, { ...signal, redirect: 'follow', headers: from > 0 ? { range: `bytes=${from}-` } : {} }).catch((cause: unknown) => {
    throw new PagestreamError('model-missing', `fetching the model "${id}": ${url} cannot be reached; ${howToGet(id, file, options.directory)}`, { cause })
  })
  if (answer.status === 416) {
    await answer.body?.cancel()
    await rm(part, { force: true })
    throw new PagestreamError('model-missing', `fetching the model "${id}": the part that was fetched before does not fit; try again`)
  }
  if (!answer.ok || !answer.body) throw new PagestreamError('model-missing', `fetching the model "${id}": ${url} answered ${answer.status}`)
  const resumed = answer.status === 206
  const start = resumed ? from : 0
  const length = Number(answer.headers.get('content-length') ?? Number.NaN)
  const total = file.bytes ?? (Number.isFinite(length) ? start + length : undefined)
  const counted = count(answer.body, start, limit, (receivedBytes) =>
    options.onProgress?.({ id, file: file.file, receivedBytes, ...(total !== undefined && { totalBytes: total }) }),
  )
  await pipeline(counted, createWriteStream(part, { flags: resumed ? 'a' : 'w' }), signal).catch((cause: unknown) => {
    if (cause instanceof PagestreamError) throw cause
    throw new PagestreamError('model-missing', `fetching the model "${id}": the download broke off; run it again, it goes on from there`, { cause })
  })
}

async function* count(body: AsyncIterable<Uint8Array>, start: number, limit: number, tell: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  let received = start
  for await (const chunk of body) {
    received += chunk.length
    if (received > limit) throw new PagestreamError('model-missing', `fetching a model: more than ${limit} bytes came`)
    tell(received)
    yield chunk
  }
}

const sizeOf = async (path: string): Promise<number | undefined> => (await stat(path).catch(() => undefined))?.size
