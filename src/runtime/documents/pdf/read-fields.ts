import type { FormField } from '../../../schema/text-layer.ts'
import type { Engine } from './engine.ts'
import { type PageFrame, transformBox } from './page-frame.ts'

const maxAnnotations = 5000
/** `FPDF_ANNOT_WIDGET` */
const widget = 20
/** Annotation flags Hidden and NoView: a reader of the page does not see it. Source: PDF 32000-1, table 165. */
const unseen = (1 << 1) | (1 << 5)
/** The flag of a text field whose value is a secret: readers show stars. Source: PDF 32000-1, table 228. */
const password = 1 << 13
/** `FPDF_FORMFIELD_*`: unknown, push button, check box, radio button, combo box, list box, text field, signature. */
const kinds: readonly FormField['kind'][] = ['unknown', 'button', 'checkbox', 'radio', 'choice', 'choice', 'text', 'signature']

/** The form fields of a page that a reader sees, with their values; `form` is the document's form environment. */
export function readFields(engine: Engine, form: number, page: number, frame: PageFrame): FormField[] {
  const { call } = engine
  const count = Math.min(call.FPDFPage_GetAnnotCount(page), maxAnnotations)
  const fields: FormField[] = []
  for (let i = 0; i < count; i++) {
    const annotation = call.FPDFPage_GetAnnot(page, i)
    if (annotation === 0) continue
    try {
      const isSeen = (call.FPDFAnnot_GetFlags(annotation) & unseen) === 0
      if (isSeen && call.FPDFAnnot_GetSubtype(annotation) === widget) fields.push(readField(engine, form, annotation, frame))
    } finally {
      call.FPDFPage_CloseAnnot(annotation)
    }
  }
  return fields
}

function readField(engine: Engine, form: number, annotation: number, frame: PageFrame): FormField {
  const { call, heap, scratch } = engine
  call.FPDFAnnot_GetRect(annotation, scratch)
  const [left = 0, top = 0, right = 0, bottom = 0] = heap.f32.subarray(scratch >> 2, (scratch >> 2) + 4)
  const kind = kinds[call.FPDFAnnot_GetFormFieldType(form, annotation)] ?? 'unknown'
  const name = engine.readText((b, n) => call.FPDFAnnot_GetFormFieldName(form, annotation, b, n), 'utf-16')
  const label = engine.readText((b, n) => call.FPDFAnnot_GetFormFieldAlternateName(form, annotation, b, n), 'utf-16')
  const value = readValue(engine, form, annotation, kind)
  return { box: transformBox(frame.matrix, left, bottom, right, top), kind, name, ...(label === '' ? {} : { label }), value }
}

function readValue({ call, readText }: Engine, form: number, annotation: number, kind: FormField['kind']): string {
  if (kind === 'checkbox' || kind === 'radio') {
    if (!call.FPDFAnnot_IsChecked(form, annotation)) return 'off'
    return readText((b, n) => call.FPDFAnnot_GetFormFieldExportValue(form, annotation, b, n), 'utf-16') || 'on'
  }
  if (kind === 'text' && (call.FPDFAnnot_GetFormFieldFlags(form, annotation) & password) !== 0) return ''
  return readText((b, n) => call.FPDFAnnot_GetFormFieldValue(form, annotation, b, n), 'utf-16')
}
