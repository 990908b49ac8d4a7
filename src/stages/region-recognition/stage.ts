import { availableParallelism } from 'node:os'
import { toFailure } from '../../schema/failure.ts'
import type { Outcome, Stage } from '../../schema/stage.ts'
import { type LaidOutPage, type RecognizedPage, textLayerBytes } from '../stage-values.ts'
import { blocksForModel } from './model/read-by-model.ts'
import { regionsToRead } from './read-blocks.ts'
import { type RecognitionEngines, recognizePage } from './recognize-page.ts'

/** Milliseconds of one core: a page of text, a line read from the picture, a figure cut out. */
const pageCost = 1
const lineCost = 30
const figureCost = 60

type RecognitionOutcome = Outcome<LaidOutPage, RecognizedPage>

/**
 * Gives each block its content: from words of the text layer, or read from the picture of the page. Pages of
 * words alone are done at once; pages that need their picture are read side by side, as many as keep the readers busy, and those with questions to
 * the model as many as keep its slots busy.
 */
export function regionRecognitionStage(engines: RecognitionEngines): Stage<LaidOutPage, RecognizedPage> {
  const { config, model } = engines
  const atOnce = Math.min(8, Math.max(2, config.workers || availableParallelism()))
  return {
    name: 'region-recognition',
    cost: (page) => pageCost + lineCost * regionsOf(page) + (config.images ? figureCost * figuresOf(page) : 0),
    bytes: textLayerBytes,
    async *process(window, signal) {
      const running = new Map<LaidOutPage, Promise<RecognitionOutcome>>()
      /** Begins as many of the pages as may be read at once, and more each time it is called. */
      const lane = (pages: LaidOutPage[], limit: number) => {
        let open = 0
        return () => {
          while (open < limit && !signal.aborted) {
            const next = pages.shift()
            if (!next) return
            open++
            running.set(
              next,
              outcomeOf(next, engines, signal).finally(() => open--),
            )
          }
        }
      }
      const forModel = window.pages.filter((page) => model && blocksForModel(page, model).length > 0)
      const pictured = window.pages.filter((page) => !forModel.includes(page) && needsPicture(page, config.images))
      const plain = window.pages.filter((page) => !forModel.includes(page) && !pictured.includes(page))
      const lanes = [lane(forModel, model?.reader.pagesAtOnce ?? 0), lane(pictured, atOnce)]
      for (const startMore of lanes) startMore()
      for (const page of plain) if (!signal.aborted) yield await outcomeOf(page, engines, signal)
      while (running.size > 0) {
        const outcome = await Promise.race(running.values())
        running.delete(outcome.input)
        for (const startMore of lanes) startMore()
        yield outcome
      }
    },
  }
}

async function outcomeOf(page: LaidOutPage, engines: RecognitionEngines, signal: AbortSignal): Promise<RecognitionOutcome> {
  try {
    return { kind: 'done', input: page, value: await recognizePage(page, engines, signal) }
  } catch (error) {
    if (signal.aborted)
      return { kind: 'failed', input: page, failure: { class: 'transient', code: 'cancelled', message: 'reading the page: the run was stopped' } }
    return { kind: 'failed', input: page, failure: toFailure(error) }
  }
}

const regionsOf = (page: LaidOutPage): number => page.blocks.reduce((sum, block) => sum + regionsToRead(block).length, 0)
const figuresOf = (page: LaidOutPage): number =>
  page.blocks.filter((block) => block.kind === 'figure' || block.kind === 'chart' || block.kind === 'formula').length
const needsPicture = (page: LaidOutPage, images: boolean): boolean => page.verdict.regions.length > 0 || (images && figuresOf(page) > 0)
