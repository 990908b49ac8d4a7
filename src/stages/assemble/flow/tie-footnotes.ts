import { type Draft, isHidden } from './draft.ts'

/** Counts the notes of a document. */
export interface NoteCounter {
  last: number
}

const superscripts: Readonly<Record<string, string>> = Object.fromEntries([...'⁰¹²³⁴⁵⁶⁷⁸⁹'].map((sign, digit) => [sign, String(digit)]))
const opening = /^\s*(?:<sup>\s*([^<>\s]{1,4})\s*<\/sup>|\^([^\s^]{1,4})\^|([⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})|\\?([*†‡§¶]{1,3})|\[(\d{1,3})\]|\(?(\d{1,3}|[a-z])[).]?(?=\s))/u
const refersTo: ReadonlySet<string> = new Set(['text', 'list_item', 'heading', 'table', 'caption', 'reference', 'unknown'])

/**
 * Ties the footnotes of a page to the block that bears their mark, and numbers those that are found exactly
 * once: only then can the Markdown refer to them. A note whose mark is nowhere, or in several blocks, stays a
 * paragraph of its own; so does one that is tied already, to the table above it.
 */
export function tieFootnotes(drafts: readonly Draft[], counter: NoteCounter): void {
  const bearers = drafts.filter((d) => refersTo.has(d.kind) && !isHidden(d))
  for (const note of drafts) {
    if (note.kind !== 'footnote' || isHidden(note)) continue
    if (note.parent !== undefined && !drafts.some((d) => d.origin.id === note.parent)) note.parent = undefined
    const mark = markOf(note)
    const found = mark === undefined ? [] : bearers.flatMap((bearer) => referencesIn(bearer, mark).map((reference) => ({ bearer, reference })))
    const [only] = found
    const before = drafts.find((d) => d.origin.id === note.parent)
    const isOfBody = before !== undefined && (before.kind === 'table' || note.origin.noteOf === 'body')
    if (!isOfBody && only && found.length === 1) {
      note.parent ??= only.bearer.origin.id
      if (only.bearer.kind !== 'table' && only.bearer.kind !== 'heading') {
        note.note = ++counter.last
        only.bearer.references.push({ mark: only.reference, number: note.note })
      }
    }
    const parent = drafts.find((d) => d.origin.id === note.parent)
    if (parent && drafts.indexOf(note) > drafts.indexOf(parent) && (parent.kind === 'table' || isOfBody)) parent.tiedAfter++
  }
}

/** Whether a note begins with a mark of its own. */
export const hasMark = (note: Draft): boolean => markOf(note) !== undefined

/** The mark that a note begins with, in plain digits or signs. */
export function markOf(note: Draft): string | undefined {
  const match = opening.exec(note.markdown) ?? opening.exec(note.text)
  const mark = match?.slice(1).find((group) => group !== undefined)
  return mark?.replace(/[⁰¹²³⁴-⁹]/gu, (sign) => superscripts[sign] ?? sign)
}

/** How the mark stands, raised, in the Markdown of a block; every place once. */
function referencesIn(bearer: Draft, mark: string): string[] {
  const raised = [...mark].map((c) => Object.entries(superscripts).find(([, digit]) => digit === c)?.[0] ?? '').join('')
  const forms = [`<sup>${mark}</sup>`, `^${mark}^`, ...(raised.length === mark.length ? [raised] : []), ...(/^[*†‡§¶]/u.test(mark) ? [`\\${mark}`] : [])]
  return forms.flatMap((form) => Array<string>(occurrences(bearer.markdown, form)).fill(form))
}

function occurrences(text: string, form: string): number {
  let count = 0
  for (let at = text.indexOf(form); at >= 0 && count < 4; at = text.indexOf(form, at + form.length)) count++
  return count
}

/** Takes the mark off the front of a note's Markdown, for `[^1]: …`. */
export const withoutMark = (markdown: string): string => markdown.replace(opening, '').trimStart()
