/** Code out of its fence, its language in lower case where the answer names it. */
export interface CodeAnswer {
  readonly text: string
  readonly language?: string
}

const fence = /^```[ \t]*([\w+#.-]{0,30})[^\n]{0,100}\n/u
const marker = /^<_([\w+#. -]{1,30})_>[ \t]*\n?/u

/** Takes the fence off, or the language mark `<_Python_>`; the end of the fence may be missing. Indentation stays. */
export function codeAnswer(answer: string): CodeAnswer {
  let text = answer.replace(/^(?:[ \t]{0,200}\r?\n)+/u, '').trimEnd()
  const opened = fence.exec(text) ?? marker.exec(text)
  if (opened === null) return { text }
  const isFenced = text.startsWith('```')
  text = text.slice(opened[0].length)
  if (isFenced && text.endsWith('```')) text = text.slice(0, -3).trimEnd()
  const language = opened[1]?.trim().toLowerCase() ?? ''
  return language === '' ? { text } : { text, language }
}
