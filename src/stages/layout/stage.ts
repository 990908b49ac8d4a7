import { toFailure } from '../../schema/failure.ts'
import type { Stage } from '../../schema/stage.ts'
import { type GatedPage, type LaidOutPage, textLayerBytes } from '../stage-values.ts'
import { layoutPage } from './layout-page.ts'

/** Milliseconds of one core for a page, and for each word or region on it. */
const pageCost = 0.5
const pieceCost = 0.003

/** The geometry engine as a stage: blocks with kind, box, angle and reading order for every page. */
export function layoutStage(): Stage<GatedPage, LaidOutPage> {
  return {
    name: 'layout',
    cost: (input) => pageCost + pieceCost * (input.textLayer.words.length + input.verdict.regions.length),
    bytes: textLayerBytes,
    async *process(window, signal) {
      for (const input of window.pages) {
        if (signal.aborted) return
        try {
          yield { kind: 'done', input, value: { ...input, blocks: layoutPage(input) } }
        } catch (cause) {
          yield { kind: 'failed', input, failure: toFailure(cause, `laying out page ${input.page.pageIndex + 1}`) }
        }
      }
    },
  }
}
