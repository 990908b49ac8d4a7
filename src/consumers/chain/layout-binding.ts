import type { PageGated } from '../../schema/events.ts'
import type { Verdict } from '../../schema/page.ts'
import type { Stage } from '../../schema/stage.ts'
import type { TextLayer } from '../../schema/text-layer.ts'
import type { GatedPage, LaidOutPage } from '../../stages/stage-values.ts'
import type { Artifacts } from '../../store/artifacts.ts'
import type { StageBinding } from '../stage-binding.ts'
import { claimed } from './claimed.ts'
import { endFailedPage } from './failed-page.ts'
import { blocksKey, pageEventKey } from './keys.ts'

interface Input extends GatedPage {
  readonly event: PageGated
}

export interface LayoutBindingOptions {
  readonly stage: Stage<GatedPage, LaidOutPage>
  readonly artifacts: Artifacts
}

/** pages.gated → pages.layout. */
export function layoutBinding({ stage, artifacts }: LayoutBindingOptions): StageBinding<'pages.gated', Input, LaidOutPage> {
  return {
    topic: 'pages.gated',
    stage: stage as Stage<Input, LaidOutPage>,
    expand: (event) =>
      claimed(event.page, event.opened, artifacts, async () => {
        const [textLayer, verdict] = await Promise.all([artifacts.get<TextLayer>(event.textLayer), artifacts.get<Verdict>(event.verdict)])
        return { event, page: event.page, frame: event.frame, textLayer, verdict }
      }),
    async done({ event, page }, { blocks }) {
      return [{ topic: 'pages.layout', key: pageEventKey(page), payload: { ...event, blocks: await artifacts.put(blocksKey(page), blocks, 'passing') } }]
    },
    failed: ({ page, frame, event }, failure) =>
      endFailedPage(artifacts, { stage: 'layout', topic: 'pages.gated', page, frame, opened: event.opened, failure }),
    unreadable: ({ page, frame, opened }, failure) => endFailedPage(artifacts, { stage: 'layout', topic: 'pages.gated', page, frame, opened, failure }),
  }
}
