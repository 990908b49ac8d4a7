import type { VlmFamily } from '../../../src/runtime/vlm/page-reader.ts'
import type { ScriptedBlock, ScriptedPage } from './page-script.ts'

const directions = { 0: 'up', 90: 'right', 180: 'down', 270: 'left' } as const

const padded = (value: number): string => `${value}`.padStart(3, '0')

/** As MinerU2.5 writes its layout: one element a line, numbers of three digits. */
export function mineruLayout({ blocks }: ScriptedPage): string {
  const line = ({ kind, box, angle, continues }: ScriptedBlock) =>
    `<|box_start|>${box.map(padded).join(' ')}<|box_end|><|ref_start|>${kind}<|ref_end|><|rotate_${directions[angle]}|>${continues ? 'txt_contd_tgt' : ''}`
  return blocks.map(line).join('\n')
}

/** As TeleOCR writes its layout. */
export function teleOcrLayout({ blocks }: ScriptedPage): string {
  return blocks.map(({ kind, box, angle }) => `<box:${box.map(padded).join(' ')}><label:${kind}><${directions[angle]}>\n`).join('')
}

/** The tokens of a table in OTSL. */
export const otslOf = (cells: readonly (readonly string[])[]): string =>
  cells.map((row) => `${row.map((cell) => (cell === '' ? '<ecel>' : `<fcel>${cell}`)).join('')}<nl>`).join('')

const htmlOf = (cells: readonly (readonly string[])[]): string =>
  `<table>${cells.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`

/** What a two-step family answers when it is shown the block alone. */
export function blockAnswer({ kind, text, cells }: ScriptedBlock): string {
  if (cells !== undefined) return otslOf(cells)
  return kind === 'equation' ? `\\[ ${text} \\]` : text
}

function unlimitedContent({ kind, text, cells }: ScriptedBlock): string {
  if (cells !== undefined) return htmlOf(cells)
  if (kind === 'image') return ''
  return kind === 'equation' ? `\\[ ${text} \\]` : text
}

/** As Unlimited-OCR reads a page: kinds, boxes and contents in one go. */
export function unlimitedPage({ blocks }: ScriptedPage): string {
  return blocks.map((block) => `<|det|>${block.kind} [${block.box.join(', ')}]<|/det|>${unlimitedContent(block)}\n`).join('')
}

const wholePageAnswers: Readonly<Record<VlmFamily, (page: ScriptedPage) => string>> = {
  'mineru2.5': mineruLayout,
  teleocr: teleOcrLayout,
  'unlimited-ocr': unlimitedPage,
}

/** What a family answers when it is shown the page. */
export const pageAnswer = (family: VlmFamily, page: ScriptedPage): string => wholePageAnswers[family](page)

const wholePagePrompts: Readonly<Record<VlmFamily, RegExp>> = {
  'mineru2.5': /Layout Detection:/,
  teleocr: /Analyze the image layout\.|Layout Segmentation/,
  'unlimited-ocr': /document parsing\./,
}

export const asksForPage = (family: VlmFamily, prompt: string): boolean => wholePagePrompts[family].test(prompt)
