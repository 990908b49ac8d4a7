import type { FormField, PointBox } from '../../../schema/text-layer.ts'
import type { Engine } from './engine.ts'
import { type PageFrame, transformBox } from './page-frame.ts'

const maxAnnotations = 5000
/** `FPDF_ANNOT_FREETEXT`, `FPDF_ANNOT_WIDGET` */
const [freeText, widget] = [3, 20]
/** Annotation flags Hidden and NoView: a reader of the page does not see it. Source: PDF 32000-1, table 165. */
const unseen = (1 << 1) | (1 << 5)
/** The flag of a text field whose value is a secret: readers show stars. Source: PDF 32000-1, table 228. */
const password = 1 << 13
/** `FPDF_FORMFIELD_*`: unknown, push button, check box, radio button, combo box, list box, text field, signature. */
const kinds: readonly FormField['kind'][] = ['unknown', 'button', 'checkbox', 'radio', 'choice', 'choice', 'text', 'signature']

/**
 * The form fields of a page that a reader sees, with their values, and its free-text annotations; `form` is the
 * document's form environment, 0 when it has no fields.
 */
export function readFields(engine: Engine, form: number, page: number, frame: PageFrame): FormField[] {
  const { call } = engine
  const count = Math.min(call.FPDFPage_GetAnnotCount(page), maxAnnotations)
  const fields: FormField[] = []
  for (let i = 0; i < count; i++) {
    const annotation = call.FPDFPage_GetAnnot(page, i)
    if (annotation === 0) continue
    try {
      if ((call.FPDFAnnot_GetFlags(annotation) & unseen) !== 0) continue
      const subtype = call.FPDFAnnot_GetSubtype(annotation)
      if (subtype === widget && form !== 0) fields.push(readField(engine, form, annotation, frame))
      else if (subtype === freeText) fields.push(readNote(engine, annotation, frame))
    } finally {
      call.FPDFPage_CloseAnnot(annotation)
    }
  }
  return fields
}

function readNote(engine: Engine, annotation: number, frame: PageFrame): FormField {
  const value = engine.readText((b, n) => engine.call.FPDFAnnot_GetStringValue(annotation, engine.key('Contents'), b, n), 'utf-16')
  return { box: boxOf(engine, annotation, frame), kind: 'note', name: '', value: value.replace(/\r\n?/g, '\n') }
}

function boxOf({ call, heap, scratch }: Engine, annotation: number, frame: PageFrame): PointBox {
  call.FPDFAnnot_GetRect(annotation, scratch)
  const [left = 0, top = 0, right = 0, bottom = 0] = heap.f32.subarray(scratch >> 2, (scratch >> 2) + 4)
  return transformBox(frame.matrix, left, bottom, right, top)
}

function readField(engine: Engine, form: number, annotation: number, frame: PageFrame): FormField {
  const { call } = engine
  const kind = kinds[call.FPDFAnnot_GetFormFieldType(form, annotation)] ?? 'unknown'
  const name = engine.readText((b, n) => call.FPDFAnnot_GetFormFieldName(form, annotation, b, n), 'utf-16')
  const label = engine.readText((b, n) => call.FPDFAnnot_GetFormFieldAlternateName(form, annotation, b, n), 'utf-16')
  const value = readValue(engine, form, annotation, kind)
  return { box: boxOf(engine, annotation, frame), kind, name, ...(label === '' ? {} : { label }), value }
}

function readValue({ call, readText }: Engine, form: number, annotation: number, kind: FormField['kind']): string {
  if (kind === 'checkbox' || kind === 'radio') {
    if (!call.FPDFAnnot_IsChecked(form, annotation)) return 'off'
    return readText((b, n) => call.FPDFAnnot_GetFormFieldExportValue(form, annotation, b, n), 'utf-16') || 'on'
  }
  if (kind === 'text' && (call.FPDFAnnot_GetFormFieldFlags(form, annotation) & password) !== 0) return ''
  return readText((b, n) => call.FPDFAnnot_GetFormFieldValue(form, annotation, b, n), 'utf-16')
}
