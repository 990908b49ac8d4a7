import { PagestreamError } from '../../../../schema/failure.ts'
import type { Address } from './koffi-library.ts'
import type { RgbPicture } from './llama-protocol.ts'
import type { LoadedModel } from './loaded-model.ts'

/** Text and picture as libmtmd has cut them up. */
export interface PictureChunks extends Disposable {
  /** To be evaluated in this order. */
  readonly chunks: readonly Address[]
  readonly tokens: number
}

const textChunk = 0

/**
 * Makes chunks of the text before a picture, and of the picture. What libmtmd puts behind it is kept where the model's form has it so.
 * Throws `picture-refused`.
 */
export function pictureChunks(model: LoadedModel, before: string, picture: RgbPicture): PictureChunks {
  const { mtmd, koffi } = model.library
  checkPicture(picture)
  const marker = koffi.decode.string(mtmd.mtmd_default_marker())
  if (before.includes(marker)) throw new PagestreamError('picture-refused', 'reading the prompt: it holds the mark that stands for a picture')
  const text = Buffer.from(`${before}${marker}\0`, 'utf8')
  const list = mtmd.mtmd_input_chunks_init()
  const bitmap = mtmd.mtmd_bitmap_init(picture.width, picture.height, picture.rgb)
  const dispose = (): void => mtmd.mtmd_input_chunks_free(list)
  try {
    if (list === null || bitmap === null) throw new PagestreamError('engine-memory', 'reading the picture: no memory is left for it')
    const input = { text, text_len: text.length - 1, add_special: true, parse_special: true }
    const code = mtmd.mtmd_tokenize(model.projector, list, input, BigUint64Array.of(bitmap), 1)
    if (code !== 0)
      throw new PagestreamError('picture-refused', `reading the picture: ${picture.width} x ${picture.height} pixels are not taken (code ${code})`)
    const all = Array.from({ length: Number(mtmd.mtmd_input_chunks_size(list)) }, (_, i) => mtmd.mtmd_input_chunks_get(list, i))
    const last = all.at(-1) ?? null
    const tail = !model.form.keepsTail && last !== null && mtmd.mtmd_input_chunk_get_type(last) === textChunk
    const chunks = tail ? all.slice(0, -1) : all
    const tokens = chunks.reduce((sum, chunk) => sum + Number(mtmd.mtmd_input_chunk_get_n_tokens(chunk)), 0)
    return { chunks, tokens, [Symbol.dispose]: dispose }
  } catch (error) {
    dispose()
    throw error
  } finally {
    mtmd.mtmd_bitmap_free(bitmap)
  }
}

/** The library reads so many bytes, whether they are there or not. */
function checkPicture({ width, height, rgb }: RgbPicture): void {
  const whole = Number.isInteger(width) && Number.isInteger(height) && width >= 1 && height >= 1
  if (!whole || rgb.length !== width * height * 3) {
    throw new PagestreamError('picture-refused', `reading the picture: ${rgb.length} bytes are not ${width} x ${height} pixels`)
  }
}
