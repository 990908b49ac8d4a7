import { cleanChart } from './chart-content.ts'
import { cleanFlowchart } from './mermaid/clean-flowchart.ts'
import { readPictureAnswer } from './picture-answer.ts'

/** What a picture or chart turns out to be. `text` is still to be read as what it is; `subKind` may be empty. */
export type PictureReading =
  | { readonly type: 'table' | 'equation'; readonly text: string }
  | { readonly type: 'chart' | 'image' | 'flowchart'; readonly subKind: string; readonly text: string }

/**
 * Decides by the class that the model gives. What has no content of its own is described by its caption, but for a chart. `cut`: the answer did not come to
 * its end.
 */
export function readPicture(answer: string, cut = false): PictureReading {
  const { pictureClass, subClass, caption, content } = readPictureAnswer(answer, cut)
  switch (pictureClass) {
    case 'chart':
      return { type: 'chart', subKind: subClass, text: cleanChart(content) }
    case 'pure_table':
      return { type: 'table', text: content }
    case 'pure_formula':
      return { type: 'equation', text: content }
    case 'flowchart': {
      const code = cleanFlowchart(content)
      return code === '' ? { type: 'image', subKind: pictureClass, text: caption } : { type: 'flowchart', subKind: pictureClass, text: code }
    }
    default:
      return { type: 'image', subKind: pictureClass, text: pictureClass === 'natural_image' || pictureClass === 'chemical' ? caption : content || caption }
  }
}
