import { tinyPdf } from '../tiny-pdf.ts'
import type { ScriptedPage } from './page-script.ts'
import { colouredPixels } from './place-colours.ts'

const [width, height] = [306, 396]

/** A page of few blocks, each of which says which page of all it stands on, so that a mix-up shows; `edition` changes its words. */
export function shortPage(page: number, edition = 'first'): ScriptedPage {
  const words = `of page ${page} in its ${edition} edition`
  return {
    blocks: [
      { kind: 'title', box: [100, 80, 900, 160], angle: 0, text: `Heading ${words}` },
      { kind: 'text', box: [100, 200, 900, 420], angle: 0, text: `The upper paragraph ${words} ends here.` },
      {
        kind: 'table',
        box: [100, 460, 900, 640],
        angle: 0,
        text: '',
        cells: [
          ['Name', 'Page'],
          [edition, `${page}`],
        ],
      },
      { kind: 'text', box: [100, 680, 900, 900], angle: 0, text: `The lower paragraph ${words} ends here.` },
    ],
  }
}

/** A PDF of pictures alone: so many pages of a script, from one on. What a page says is in its colours (`colourScript`). */
export function scannedDocument(script: (page: number) => ScriptedPage, first: number, pages: number): Uint8Array {
  return tinyPdf(
    Array.from({ length: pages }, (_, index) => ({
      content: 'q 612 0 0 792 0 0 cm /Scan Do Q',
      images: { Scan: { width, height, rgb: colouredPixels(script(first + index), first + index, width, height) } },
    })),
  )
}
