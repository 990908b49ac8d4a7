import { randomUUID } from 'node:crypto'
import type { Ask, SentPicture } from '../../engine.ts'
import type { Dialect } from './dialects/dialect.ts'

/** Stands for the picture while the rest is encoded. Nothing that is asked can hold it. */
const pictureMark = `picture:${randomUUID()}`

/** Bytes that are turned into text at once: a multiple of three, so that only the last piece is padded, and small enough to leave no large string behind. */
const piece = 3 << 14

/** The body of a question. Its picture is written into it as a data URI, once and without a text of that length. */
export function encodeQuestion(dialect: Dialect, ask: Ask, model: string): Buffer {
  const { picture } = ask
  const json = JSON.stringify(dialect.body({ ask, model, pictureUrl: picture === undefined ? undefined : pictureMark }))
  if (picture === undefined) return Buffer.from(json)
  const at = json.indexOf(pictureMark)
  const head = `${json.slice(0, at)}data:${picture.mediaType};base64,`
  const tail = json.slice(at + pictureMark.length)
  const headBytes = Buffer.byteLength(head)
  const end = headBytes + 4 * Math.ceil(picture.bytes.length / 3)
  const body = Buffer.allocUnsafeSlow(end + Buffer.byteLength(tail))
  body.write(head)
  writeBase64(picture, body, headBytes)
  body.write(tail, end)
  return body
}

function writeBase64({ bytes }: SentPicture, body: Buffer, from: number): void {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let to = from
  for (let at = 0; at < source.length; at += piece) to += body.write(source.toString('base64', at, Math.min(source.length, at + piece)), to, 'latin1')
}
