import { listMarker } from '../../../text/list-marker.ts'
import { escapeMarkdown } from '../../../text/markdown-escape.ts'
import { type Span, withoutStart } from '../lines/span.ts'
import { type InlineOptions, inlineMarkdown } from './inline-markdown.ts'

/** Splits a list item's marker off its text. */
export interface ItemText {
  /** As it shall stand in the output: signs of symbol fonts become `•`. */
  readonly marker: string
  /** The item with its marker. */
  readonly text: string
  /** The item without. */
  readonly rest: readonly Span[]
}

/** @param known the marker that the layout saw; without one the text is looked at. Undefined when there is none. */
export function itemText(text: string, spans: readonly Span[], known: string | undefined): ItemText | undefined {
  const printed = known !== undefined && known !== '' && text.startsWith(known) ? known : listMarker(text)?.marker
  if (printed === undefined) return undefined
  const lead = text.length - text.trimStart().length
  const start = text.startsWith(printed) ? 0 : lead
  const after = text.slice(start + printed.length)
  const blank = after.length - after.trimStart().length
  const marker = shownMarker(printed)
  return { marker, text: marker + after, rest: withoutStart(spans, start + printed.length + blank) }
}

/** A sign without meaning outside its font, or a letter that such a font shows as a sign, is a bullet. */
function shownMarker(printed: string): string {
  const code = printed.charCodeAt(0)
  if (code >= 0xe000 && code <= 0xf8ff) return '•'
  return listMarker(`${printed} x`) === undefined && [...printed].length <= 2 ? '•' : printed
}

/**
 * A list item as Markdown, not indented: `- rest`, `N. rest`, `- [ ] rest`. Markers that Markdown has no form for
 * stay as printed behind the dash.
 */
export function listItemMarkdown(item: ItemText, options: InlineOptions): string {
  return `${markdownMarker(item.marker)} ${inlineMarkdown(item.rest, { ...options, lineStart: true })}`.trimEnd()
}

/** What a marker is in Markdown; one that Markdown has no form for stands behind a dash. */
export function markdownMarker(marker: string): string {
  const found = listMarker(`${marker} x`)
  if (!found || found.style === 'bullet') return '-'
  if (found.style === 'checkbox') return /[☑☒✅xX✓]/u.test(marker) ? '- [x]' : '- [ ]'
  const isNumbered = (found.style === 'decimal' || found.style === 'circled') && !marker.startsWith('[')
  if (isNumbered && found.ordinal !== undefined) return `${found.ordinal}.`
  return `- ${escapeMarkdown(marker)}`
}
