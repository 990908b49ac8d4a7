import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Config } from '../config/config.ts'
import { sniffedBytes, sniffMediaType } from '../runtime/documents/media-type.ts'
import { PagestreamError } from '../schema/failure.ts'
import type { DocumentSource } from '../schema/page.ts'
import { reasonOf } from '../schema/reason.ts'

/** Raised whenever a stage gives another result for the same page: results made before are not reused. */
const resultVersion = 1

/**
 * What a file is: size in bytes, SHA-256 and media type by content. Rejects with `document-not-found`; with `input-changed` when
 * its size changes meanwhile; with `document-too-large` before
 * reading more than `maxBytes`; with `document-not-supported` for pipes and devices, which may have no end.
 */
export async function identify(path: string, name: string, maxBytes: number): Promise<DocumentSource> {
  try {
    const found = await stat(path)
    if (!found.isFile()) throw new PagestreamError('document-not-supported', `reading ${path}: it is not a regular file`)
    const { size } = found
    if (size > maxBytes) throw new PagestreamError('document-too-large', `reading ${path}: its ${size} bytes are more than limits.maxDocumentBytes`)
    const { sha256, head, read } = await digest(path)
    if (read !== size) throw new PagestreamError('input-changed', `reading ${path}: it was changed while it was read`)
    return { name, path, bytes: size, sha256, mediaType: sniffMediaType(head) ?? 'application/octet-stream' }
  } catch (cause) {
    if (cause instanceof PagestreamError) throw cause
    throw new PagestreamError('document-not-found', `reading ${path}: ${reasonOf(cause)}`, { cause })
  }
}

/** SHA-256 of a file and its first bytes, by which its content is recognised. */
async function digest(path: string): Promise<{ sha256: string; head: Uint8Array; read: number }> {
  const hash = createHash('sha256')
  let head: Uint8Array | undefined
  let read = 0
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) {
    hash.update(piece)
    read += piece.length
    head ??= piece.subarray(0, sniffedBytes)
  }
  return { sha256: hash.digest('hex'), head: head ?? new Uint8Array(), read }
}

/** Hash of the bytes and of everything in the configuration that decides the result; what only decides speed is left out. */
export function revisionOf(sha256: string, config: Config, pages: readonly number[] | undefined): string {
  const decides = [
    resultVersion,
    sha256,
    config.ocr,
    config.render.dpi,
    config.images,
    config.models.detector,
    config.models.recognizer,
    config.chunks,
    config.limits.maxRenderPixels,
    config.limits.picturePages,
    config.limits.maxPagePoints,
    config.limits.maxPicturePixels,
    config.render.viewerDpi,
    pages ?? 'all',
    ...(config.vlm.family === 'none' ? [] : [vlm(config.vlm)]),
    ...(config.textModel.file === '' ? [] : [['text model', basename(config.textModel.file)]]),
  ]
  return createHash('sha256').update(JSON.stringify(decides)).digest('hex').slice(0, 16)
}

/** A projector is a part of the model, in a file of its own. */
const vlm = ({ family, effort, imageAnalysis, titleLevels, engine: { model, projector } }: Config['vlm']) => [
  ...[family, effort, imageAnalysis, titleLevels, model],
  ...(projector === '' ? [] : [projector]),
]
