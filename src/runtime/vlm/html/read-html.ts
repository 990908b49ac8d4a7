import { Tokenizer } from 'htmlparser2'
import { shieldMaths } from './shield-maths.ts'
import { type HtmlReading, TableBuilder } from './table-builder.ts'

/** Characters that are read; a page of print holds fewer. */
const longestSource = 400_000
/** Characters of an attribute's value that are looked at: those of a number. */
const longestValue = 8
/** Elements that hold no text of the page, with all that is in them. */
const skipped = new Set(['script', 'style', 'title', 'textarea', 'iframe', 'noembed', 'noframes', 'noscript', 'xmp', 'plaintext', 'template', 'svg'])

/**
 * Reads HTML that a model wrote: its table, and its text. Hostile HTML is only odd: scripts, styles, comments and attributes other than spans are
 * left out, entities become characters, tables in cells become their text. Never throws; takes time and memory in the length of the text.
 * The tokens are those of htmlparser2; the tree is not built, for deep nesting makes that slow and a table needs none.
 */
export function readHtml(html: string): HtmlReading {
  const source = shieldMaths(html.slice(0, longestSource))
  const builder = new TableBuilder()
  let tag = ''
  let spans = { rowspan: 1, colspan: 1 }
  let attribute = ''
  let value = ''
  /** The element whose content is left out, and how many of its kind are open. */
  let skipping = { name: '', depth: 0 }

  const open = (selfClosing: boolean): void => {
    if (skipping.depth > 0) {
      if (tag === skipping.name && !selfClosing) skipping.depth++
    } else if (skipped.has(tag)) {
      if (!selfClosing) skipping = { name: tag, depth: 1 }
    } else {
      builder.open(tag, spans.rowspan, spans.colspan)
    }
  }
  const nothing = (): void => {}
  const tokenizer = new Tokenizer(
    { recognizeSelfClosing: false },
    {
      ontext: (start, end) => {
        if (skipping.depth === 0) builder.text(source.slice(start, end))
      },
      ontextentity: (codePoint) => {
        if (skipping.depth === 0) builder.text(String.fromCodePoint(codePoint))
      },
      onopentagname: (start, end) => {
        tag = source.slice(start, end).toLowerCase()
        spans = { rowspan: 1, colspan: 1 }
      },
      onattribname: (start, end) => {
        attribute = source.slice(start, end).toLowerCase()
        value = ''
      },
      onattribdata: (start, end) => {
        value = (value + source.slice(start, Math.min(end, start + longestValue))).slice(0, longestValue)
      },
      onattribentity: (codePoint) => {
        value = (value + String.fromCodePoint(codePoint)).slice(0, longestValue)
      },
      onattribend: () => {
        if (attribute === 'rowspan' || attribute === 'colspan') spans[attribute] = /^\s*\d+/.test(value) ? Number.parseInt(value, 10) : 1
      },
      onopentagend: () => open(false),
      onselfclosingtag: () => open(true),
      onclosetag: (start, end) => {
        const name = source.slice(start, end).toLowerCase()
        if (skipping.depth === 0) builder.close(name)
        else if (name === skipping.name) skipping.depth--
      },
      oncomment: nothing,
      oncdata: nothing,
      ondeclaration: nothing,
      onprocessinginstruction: nothing,
      onend: nothing,
    },
  )
  tokenizer.write(source)
  tokenizer.end()
  return builder.end()
}
