import type { ArtifactRef, PageGated } from '../../schema/events.ts'
import type { Verdict } from '../../schema/page.ts'
import type { Stage } from '../../schema/stage.ts'
import type { TextLayer } from '../../schema/text-layer.ts'
import type { GatedPage, LaidOutPage, PageLayoutBlocks } from '../../stages/stage-values.ts'
import type { Artifacts } from '../../store/artifacts.ts'
import type { Bus, OutRecord } from '../bus.ts'
import type { StageBinding } from '../stage-binding.ts'
import { claimed } from './claimed.ts'
import { endFailedPage } from './failed-page.ts'
import { blocksKey, pageEventKey } from './keys.ts'
import { earlyTeller } from './page-end.ts'

interface Input extends GatedPage {
  readonly event: PageGated
}

/** The layout of a page as it is kept: with the verdict on which its blocks rest, where that is no longer the gate's. */
export interface KeptLayout extends PageLayoutBlocks {
  readonly verdict?: Verdict
}

export interface LayoutBindingOptions {
  readonly stage: Stage<GatedPage, LaidOutPage>
  readonly artifacts: Artifacts
  readonly bus: Bus
  /** A model looks at pages: dear enough to look first whether one was seen before its worker died. */
  readonly byModel: boolean
}

/** pages.gated → pages.layout. What a model has seen of a page is not asked for again. */
export function layoutBinding({ stage, artifacts, bus, byModel }: LayoutBindingOptions): StageBinding<'pages.gated', Input, LaidOutPage> {
  return {
    topic: 'pages.gated',
    stage: stage as Stage<Input, LaidOutPage>,
    async *expand(event, _signal, cause) {
      const kept = byModel && artifacts.shared ? await artifacts.find(blocksKey(event.page), 'either') : undefined
      if (kept) {
        yield { kind: 'publish', records: [pageLayout(event, kept)] }
        return
      }
      yield* claimed(event.page, event.opened, artifacts, async () => {
        const [textLayer, verdict] = await Promise.all([artifacts.get<TextLayer>(event.textLayer), artifacts.get<Verdict>(event.verdict)])
        return { event, page: event.page, frame: event.frame, textLayer, verdict, ...earlyTeller(bus, event.page, cause) }
      })
    },
    async done({ event, page, verdict: gate }, { blocks, usage, verdict }) {
      // A page that its model makes no sense of was looked at once more: blocks and verdict belong together, whoever else works on the page.
      const layout: KeptLayout = { blocks, ...(usage && { usage }), ...(verdict !== gate && { verdict }) }
      return [pageLayout(event, await artifacts.put(blocksKey(page), layout, 'passing'))]
    },
    failed: ({ page, frame, event }, failure) =>
      endFailedPage(artifacts, { stage: 'layout', topic: 'pages.gated', page, frame, opened: event.opened, failure }),
    unreadable: ({ page, frame, opened }, failure) => endFailedPage(artifacts, { stage: 'layout', topic: 'pages.gated', page, frame, opened, failure }),
  }
}

const pageLayout = (event: PageGated, blocks: ArtifactRef): OutRecord => ({
  topic: 'pages.layout',
  key: pageEventKey(event.page),
  payload: { ...event, blocks },
})
