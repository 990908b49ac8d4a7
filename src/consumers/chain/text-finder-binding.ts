import type { PageRendered } from '../../schema/events.ts'
import type { Stage } from '../../schema/stage.ts'
import type { TextLayer } from '../../schema/text-layer.ts'
import type { GatedPage, RenderedPage } from '../../stages/stage-values.ts'
import type { Artifacts } from '../../store/artifacts.ts'
import type { Counters } from '../../telemetry/counters.ts'
import type { StageBinding } from '../stage-binding.ts'
import { claimed } from './claimed.ts'
import { endFailedPage } from './failed-page.ts'
import { pageEventKey, uprightLayerKey, verdictKey } from './keys.ts'

interface Input extends RenderedPage {
  readonly event: PageRendered
}

export interface TextFinderBindingOptions {
  readonly stage: Stage<RenderedPage, GatedPage>
  readonly artifacts: Artifacts
  readonly counters: Counters
}

/** pages.rendered → pages.gated. */
export function textFinderBinding({ stage, artifacts, counters }: TextFinderBindingOptions): StageBinding<'pages.rendered', Input, GatedPage> {
  return {
    topic: 'pages.rendered',
    stage: stage as Stage<Input, GatedPage>,
    expand: (event) =>
      claimed(event.page, event.opened, artifacts, async () => {
        const textLayer = await artifacts.get<TextLayer>(event.textLayer)
        return { event, page: event.page, frame: event.frame, textLayer }
      }),
    async done(input, { frame, textLayer, verdict }) {
      const { event, page } = input
      const layer = textLayer === input.textLayer ? event.textLayer : await artifacts.put(uprightLayerKey(page), textLayer, 'passing')
      const verdictRef = await artifacts.put(verdictKey(page), verdict, 'passing')
      // Behind all that may have to be done again.
      counters.verdicts[verdict.kind]++
      if (!verdict.modelUsed) counters.pagesWithoutModel++
      return [
        {
          topic: 'pages.gated',
          key: pageEventKey(page),
          payload: { ...event, frame, textLayer: layer, gate: verdict.kind, modelUsed: verdict.modelUsed, verdict: verdictRef },
        },
      ]
    },
    failed: ({ page, frame, event }, failure) =>
      endFailedPage(artifacts, { stage: 'text-finder', topic: 'pages.rendered', page, frame, opened: event.opened, failure }),
    unreadable: ({ page, frame, opened }, failure) => endFailedPage(artifacts, { stage: 'text-finder', topic: 'pages.rendered', page, frame, opened, failure }),
  }
}
