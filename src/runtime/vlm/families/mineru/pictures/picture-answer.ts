/** What the model says of a picture or chart. All trimmed; empty where it says nothing. */
export interface PictureAnswer {
  /** In lower case, as `subClass`. */
  readonly pictureClass: string
  readonly subClass: string
  readonly caption: string
  readonly content: string
}

const startOf = (field: string): string => `<|${field}_start|>`
const endOf = (field: string): string => `<|${field}_end|>`

/**
 * Reads the answer to `\nImage Analysis:`: fields between markers, in any order. A content that breaks off goes to the end of the answer; of one that was
 * `cut`, the half of a table's row at its end is left out.
 */
export function readPictureAnswer(answer: string, cut = false): PictureAnswer {
  return {
    pictureClass: fieldOf(answer, 'class').toLowerCase(),
    subClass: fieldOf(answer, 'sub_class').toLowerCase(),
    caption: fieldOf(answer, 'caption'),
    content: fieldOf(answer, 'content') || (cut ? withoutHalfRow(openContent(answer)) : openContent(answer)),
  }
}

function fieldOf(answer: string, field: string): string {
  const start = answer.indexOf(startOf(field))
  if (start < 0) return ''
  const from = start + startOf(field).length
  const end = answer.indexOf(endOf(field), from)
  return end < 0 ? '' : answer.slice(from, end).trim()
}

function openContent(answer: string): string {
  const start = answer.indexOf(startOf('content'))
  if (start < 0 || answer.includes(endOf('content'))) return ''
  const from = start + startOf('content').length
  return answer.includes(startOf('content'), from) ? '' : answer.slice(from).trim()
}

function withoutHalfRow(content: string): string {
  const lastLine = content.lastIndexOf('\n') + 1
  return lastLine > 0 && content.includes('|', lastLine) ? content.slice(0, lastLine).trim() : content
}
