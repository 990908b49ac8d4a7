import { toFailure } from '../../schema/failure.ts'
import type { Outcome, Stage } from '../../schema/stage.ts'
import { asCompleted } from '../as-completed.ts'
import { type GatedPage, type LaidOutPage, textLayerBytes } from '../stage-values.ts'
import { layoutPage } from './layout-page.ts'
import { layoutByModel, type ModelLayout, modelLooksAt } from './model/layout-by-model.ts'

/** Milliseconds of one core for a page, and for each word or region on it. */
const pageCost = 0.5
const pieceCost = 0.003

type LayoutOutcome = Outcome<GatedPage, LaidOutPage>

/**
 * Blocks with kind, box, angle and reading order for every page: by geometry, or, where there is a vision-language model and the page is one for
 * it, as the model sees them.
 */
export function layoutStage(model?: ModelLayout): Stage<GatedPage, LaidOutPage> {
  return {
    name: 'layout',
    cost: (input) =>
      model && modelLooksAt(input, model) ? model.reader.costMs() : pageCost + pieceCost * (input.textLayer.words.length + input.verdict.regions.length),
    bytes: textLayerBytes,
    async *process(window, signal) {
      const looked = model ? window.pages.filter((page) => modelLooksAt(page, model)) : []
      const others = looked.length === 0 ? window.pages : window.pages.filter((page) => !looked.includes(page))
      for (const input of others) {
        if (signal.aborted) return
        yield await outcomeOf(input, () => layoutPage(input))
      }
      if (model) yield* asCompleted(looked, (input) => outcomeOf(input, () => layoutByModel(input, model, signal)), model.reader.pagesAtOnce, signal)
    },
  }
}

async function outcomeOf(input: GatedPage, layout: () => LaidOutPage['blocks'] | Promise<LaidOutPage['blocks'] | LaidOutPage>): Promise<LayoutOutcome> {
  try {
    const made = await layout()
    return { kind: 'done', input, value: 'blocks' in made ? made : { ...input, blocks: made } }
  } catch (cause) {
    return { kind: 'failed', input, failure: toFailure(cause, `laying out page ${input.page.pageIndex + 1}`) }
  }
}
