import { PagestreamError } from '../../../schema/failure.ts'
import { shippedManifest } from '../../models/manifest.ts'
import type { VlmFamily } from '../page-reader.ts'

/** What is quoted of an answer that is none: of a picture of ours, so nobody's text. */
const quoted = 120

/** Marks that the answers of a family are full of, and that servers lose which strip special tokens. */
const marks: Readonly<Record<VlmFamily, RegExp>> = {
  'mineru2.5': /<\|box_start\|>/,
  teleocr: /<box:/,
  'unlimited-ocr': /<\|det\|>/,
}

/** Numbers of a box, whatever has become of what stood around them: the kind of the block may follow without a gap. */
const boxNumbers = /(?<!\d)\d{1,4}[\s,]+\d{1,4}[\s,]+\d{1,4}[\s,]+\d{1,4}(?!\d)/

/** Why an answer to the known page cannot be that of the family's model behind a server that is set up for it. */
export function refuseModel(family: VlmFamily, answer: string): PagestreamError {
  const models = shippedManifest()
    .served.filter((model) => model.family === family)
    .map((model) => model.repository ?? model.id)
  const known = `Models of this family: ${models.join(', ')}`
  return new PagestreamError('model-refused', `trying the model of ${family} with a known page: ${reasonFor(family, answer)}. ${known}; see docs/engines.md`)
}

/** Whether a try went well. */
export const succeeds = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )

function reasonFor(family: VlmFamily, answer: string): string {
  if (answer.trim() === '') return 'it answers nothing: the chat template or the model is another one'
  if (marks[family].test(answer))
    return 'its answer begins in the grammar of the family and makes no block: the model is another one, or much too coarsely quantised'
  if (boxNumbers.test(answer))
    return 'its boxes have lost their marks: the server strips special tokens (llama-server needs --special; for others check vlm.engine.kind, by which they are told to keep them)'
  const start = answer.trim().replace(/\s+/gu, ' ').slice(0, quoted)
  return `it answers "${start}", which is no layout: the model or the chat template is another one`
}
