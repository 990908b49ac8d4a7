import { mapFormulas } from './formula-spans.ts'

/** What stands in `\[ … \]` within text and is no formula: references to a list. */
const references = /^[\d\s,;–-]+$/u

/** Text with its formulas as `\( … \)`, whatever brackets they were written in; empty ones are left out. */
export const inlineFormulas = (text: string): string =>
  mapFormulas(text, (inner, display) => {
    const latex = inner.trim()
    if (latex === '') return ''
    return display && references.test(inner) ? `\\[${inner}\\]` : `\\( ${latex} \\)`
  })
