import { randomUUID } from 'node:crypto'
import type { Ask } from '../../engine.ts'
import type { Dialect } from './dialects/dialect.ts'
import { pictureUri } from './picture-uri.ts'

/** Stands for the picture while the rest is encoded. Nothing that is asked can hold it. */
const pictureMark = `picture:${randomUUID()}`

/** The body of a question as bytes, in parts; the picture is not encoded as JSON again. */
export function encodeQuestion(dialect: Dialect, ask: Ask, model: string): Buffer[] {
  const { picture } = ask
  const json = JSON.stringify(dialect.body({ ask, model, pictureUrl: picture === undefined ? undefined : pictureMark }))
  if (picture === undefined) return [Buffer.from(json)]
  const at = json.indexOf(pictureMark)
  return [Buffer.from(json.slice(0, at)), pictureUri(picture), Buffer.from(json.slice(at + pictureMark.length))]
}
