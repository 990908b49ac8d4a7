import { type JoinOptions, joinOf } from '../../../text/join-lines.ts'
import type { Draft } from './draft.ts'

/** Marks of emphasis that may close before the join and open again behind it. */
const closing = /(\*\*\*|\*\*|\*|~~|<\/sup>|<\/sub>|<\/u>)$/
const opening = /^(\*\*\*|\*\*|\*|~~|<sup>|<sub>|<u>)/

/** Two pieces of running text as one, hyphenation repaired. */
export function joinedText(before: string, after: string, options: JoinOptions = {}): string {
  const [left, right] = [before.trimEnd(), after.trimStart()]
  const { drop, glue } = joinOf(left, right, options)
  return (drop ? left.slice(0, -drop) : left) + glue + right
}

/** As `joinedText` for Markdown: emphasis that ends at the join and goes on behind it becomes one run. */
export function joinedMarkdown(before: string, after: string, options: JoinOptions = {}): string {
  const [left, right] = [before.trimEnd(), after.trimStart()]
  const close = closing.exec(left)?.[1]
  const open = opening.exec(right)?.[1]
  if (close?.startsWith('*') && close === open) return joinedText(left.slice(0, -close.length), right.slice(close.length), options)
  // The hyphen of a broken word may stand before the mark, the rest of the word behind one.
  const bareLeft = close ? left.slice(0, -close.length) : left
  const bareRight = open ? right.slice(open.length) : right
  const { drop, glue } = joinOf(bareLeft, bareRight, options)
  return `${drop ? bareLeft.slice(0, -drop) : bareLeft}${close ?? ''}${glue}${open ?? ''}${bareRight}`
}

/** Moves the text of `next` to the end of `open`. Nothing of it is lost but a hyphen of line breaking. */
export function absorbText(open: Draft, next: Draft, options: JoinOptions): void {
  const text = joinedText(open.text, next.text, options)
  for (const part of next.parts) open.parts.push({ ...part, from: text.length - next.text.trimStart().length + part.from })
  open.text = text
  // The rest of a list item passed for an item without a marker on its page.
  const rest = next.kind === 'list_item' ? next.markdown.replace(/^-\s+/, '') : next.markdown
  open.markdown = joinedMarkdown(open.markdown, rest, options)
  open.references.push(...next.references)
  for (const flag of next.flags) open.flags.add(flag)
  open.flags.add('merged')
  open.tail = next.origin
  next.absorbedBy = open.origin.id
}
