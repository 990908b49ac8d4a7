import { availableParallelism } from 'node:os'
import type { Config } from '../../config/config.ts'
import { toFailure } from '../../schema/failure.ts'
import type { Outcome, Stage, Window } from '../../schema/stage.ts'
import { turnTextLayer } from '../../text-layer/turn-text-layer.ts'
import { asCompleted } from '../as-completed.ts'
import { type GatedPage, type RenderedPage, textLayerBytes } from '../stage-values.ts'
import { type GatePlan, planGate } from './gate-plan.ts'
import { showHiddenWords } from './hidden-layer.ts'
import { lookAtPage } from './look-at-page.ts'
import { turnOfWords } from './page-angle.ts'
import { type GateEngines, gated, readPage } from './read-page.ts'

export interface TextFinderOptions extends GateEngines {
  readonly config: Pick<Config, 'workers' | 'limits'>
  /** Pages that must be read are looked at by a vision-language model that finds their writing, however it is turned: nothing else looks for it. */
  readonly leftToModel?: boolean
}

/** Milliseconds of one core: a page that its layer settles, one with pictures or doubtful fonts, one that is a picture. */
const costs = { settled: 2, look: 300, 'read-page': 700 } as const

/** Pages looked at at once beyond the number of workers: each holds a picture of some ten megabytes. */
const pagesAhead = 2

/**
 * The gate: is there writing on the page, where, and can the text layer be trusted?
 * A page with plausible words and no sizeable picture is settled without a model and without being rendered.
 */
export function textFinderStage({ documents, finder, reader, config, leftToModel = false }: TextFinderOptions): Stage<RenderedPage, GatedPage> {
  const pagesInFlight = (config.workers || availableParallelism()) + pagesAhead
  const engines: GateEngines = { documents, finder, reader }
  const plans = new WeakMap<RenderedPage, GatePlan>()
  const planOf = (input: RenderedPage): GatePlan => {
    const plan = plans.get(input) ?? planGate(input.page, input.textLayer, config.limits.picturePages)
    plans.set(input, plan)
    return plan
  }
  const decide = async (input: RenderedPage, signal: AbortSignal): Promise<Outcome<RenderedPage, GatedPage>> => {
    try {
      return { kind: 'done', input, value: await gate(input, planOf(input), engines, leftToModel, signal) }
    } catch (error) {
      return { kind: 'failed', input, failure: toFailure(error) }
    }
  }
  return {
    name: 'text-finder',
    cost: (input) => (leftToModel && planOf(input).step === 'read-page' ? costs.settled : costs[planOf(input).step]),
    bytes: textLayerBytes,
    process: (window: Window<RenderedPage>, signal: AbortSignal) => asCompleted(window.pages, (input) => decide(input, signal), pagesInFlight, signal),
  }
}

async function gate(input: RenderedPage, plan: GatePlan, engines: GateEngines, leftToModel: boolean, signal: AbortSignal): Promise<GatedPage> {
  if (plan.step === 'read-page' && leftToModel) return leave(input, plan)
  switch (plan.step) {
    case 'settled':
      return settle(input, plan)
    case 'read-page':
      return readPage(input, plan, engines, signal)
    case 'look':
      return lookAtPage(input, plan, engines, signal)
  }
}

function leave(input: RenderedPage, plan: GatePlan & { step: 'read-page' }): GatedPage {
  const badStyles = input.textLayer.styles.map((_, index) => index)
  return gated(input, input.textLayer, 0, { kind: 'needs-reading', reasons: [...plan.reasons, 'left-to-model'], regions: [], modelUsed: false, badStyles })
}

function settle(input: RenderedPage, plan: GatePlan & { step: 'settled' }): GatedPage {
  const textLayer = plan.showHidden ? showHiddenWords(input.textLayer) : input.textLayer
  const angle = plan.kind === 'text-layer' ? turnOfWords(textLayer.words.filter((word) => !word.hidden)) : 0
  const reasons = angle === 0 ? [...plan.reasons] : [...plan.reasons, 'turned-page']
  return gated(input, turnTextLayer(textLayer, angle), angle, { kind: plan.kind, reasons, regions: [], modelUsed: false, badStyles: [] })
}
