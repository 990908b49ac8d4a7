import type { BlockKind, Flag } from '../../../schema/block-kind.ts'

/** What the viewer calls the kinds of block. */
export const kindLabels: Readonly<Record<BlockKind, string>> = {
  heading: 'Heading',
  text: 'Text',
  list_item: 'List item',
  table: 'Table',
  formula: 'Formula',
  code: 'Code',
  algorithm: 'Algorithm',
  figure: 'Figure',
  chart: 'Chart',
  caption: 'Caption',
  footnote: 'Footnote',
  reference: 'Reference',
  index_entry: 'Index entry',
  form_field: 'Form field',
  page_header: 'Page header',
  page_footer: 'Page footer',
  page_number: 'Page number',
  aside: 'Side note',
  stamp: 'Stamp',
  unknown: 'Unknown',
}

/** What the viewer says of a flag; `plain` ones are no warnings. */
export const flagLabels: Readonly<Record<Flag, { readonly label: string; readonly plain?: boolean }>> = {
  cut: { label: 'cut off' },
  fallback: { label: 'read by a fallback' },
  'low-confidence': { label: 'low confidence' },
  'hidden-text': { label: 'hidden from readers of the page' },
  merged: { label: 'joined', plain: true },
  'lost-text': { label: 'words missing' },
  unreadable: { label: 'could not be read' },
  xfa: { label: 'dynamic form' },
  'protected-wrapper': { label: 'protected wrapper' },
  'bad-text-layer': { label: 'text layer not trusted', plain: true },
}

export function flagsHtml(flags: readonly Flag[]): string {
  if (flags.length === 0) return ''
  return `<ul class="flags">${flags.map((flag) => `<li${flagLabels[flag].plain ? ' class="plain"' : ''}>${flagLabels[flag].label}</li>`).join('')}</ul>`
}
