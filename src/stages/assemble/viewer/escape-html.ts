/** Characters that end text or an attribute in HTML. */
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text for quoted attributes and for places without markup. Control characters that HTML forbids become U+FFFD. */
export const escapeHtml = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '\ufffd').replace(/[&<>"']/g, (char) => entities[char] ?? char)

/**
 * Characters that change how text reads without being seen: runs of tags (letters that no font shows, a way to hide
 * instructions from people), directional overrides and isolates, other invisible operators, control characters.
 * Joiners and direction marks stay: scripts need them.
 */
const unseen = /[\u{e0000}-\u{e007f}]+|([\u202a-\u202e\u2060-\u206f\ufff9-\ufffb\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f])\1*/gu

/** Text of the document as HTML. What cannot be seen is shown by its code, so that nothing reads otherwise than it is written. */
export function textHtml(text: string): string {
  let html = ''
  let from = 0
  for (const match of text.matchAll(unseen)) {
    html += escapeHtml(text.slice(from, match.index)) + controlHtml(match[0])
    from = match.index + match[0].length
  }
  return html + escapeHtml(text.slice(from))
}

function controlHtml(run: string): string {
  const codes = [...run].map((character) => character.codePointAt(0) ?? 0)
  const [first = 0] = codes
  if (first >= 0xe0000) return chip(`${codes.length} tag characters: ${codes.map(shownTag).join('')}`)
  const name = `U+${first.toString(16).toUpperCase().padStart(4, '0')}`
  return chip(codes.length === 1 ? name : `${name} × ${codes.length}`)
}

/** Tags are the ASCII characters once more, moved up. */
const shownTag = (code: number): string => (code >= 0xe0020 && code < 0xe007f ? String.fromCharCode(code - 0xe0000) : '')

const chip = (text: string): string => `<span class="control">${escapeHtml(text)}</span>`

/** Longer text is cut for display; what is left waits behind a fold, so that a line of a megabyte costs no layout. */
const longestShown = 20_000

/** A paragraph in its own direction (`auto`: that of its first letter), isolated from its neighbours. */
export function paragraphHtml(text: string, names: string, direction: 'auto' | 'ltr' | 'rtl'): string {
  if (text.length <= longestShown) return `<p class="${names}" dir="${direction}">${textHtml(text)}</p>`
  const cut = /[\ud800-\udbff]/.test(text[longestShown - 1] ?? '') ? longestShown - 1 : longestShown
  const left = (text.length - cut).toLocaleString('en-US')
  return `<div class="${names}" dir="${direction}">${textHtml(text.slice(0, cut))}</div>
<details class="rest"><summary>Show ${left} more characters</summary><div class="${names}" dir="${direction}">${textHtml(text.slice(cut))}</div></details>`
}
