import type { PageLayout } from '../../schema/events.ts'
import type { PageBlock, PageResult, Verdict } from '../../schema/page.ts'
import type { Stage } from '../../schema/stage.ts'
import type { TextLayer } from '../../schema/text-layer.ts'
import type { LaidOutPage, RecognizedPage } from '../../stages/stage-values.ts'
import type { Artifacts } from '../../store/artifacts.ts'
import type { OutputSink } from '../../store/output-sink.ts'
import type { BlockOrigin, Counters } from '../../telemetry/counters.ts'
import type { Bus } from '../bus.ts'
import type { StageBinding } from '../stage-binding.ts'
import { claimed } from './claimed.ts'
import { endFailedPage } from './failed-page.ts'
import { passingKey, resultKey } from './keys.ts'
import type { KeptLayout } from './layout-binding.ts'
import { blockEvents, earlyTeller, pageEnd } from './page-end.ts'

interface Input extends LaidOutPage {
  readonly event: PageLayout
}

export interface RegionRecognitionBindingOptions {
  readonly stage: Stage<LaidOutPage, RecognizedPage>
  readonly artifacts: Artifacts
  readonly bus: Bus
  readonly counters: Counters
  /** Where the files of a document go. */
  sinkOf(documentId: string, revision: string): OutputSink
}

/** pages.layout → pages.recognized, and one event a block. The page's result is kept over a restart. */
export function regionRecognitionBinding(options: RegionRecognitionBindingOptions): StageBinding<'pages.layout', Input, RecognizedPage> {
  const { stage, artifacts, bus, counters, sinkOf } = options
  return {
    topic: 'pages.layout',
    stage: stage as Stage<Input, RecognizedPage>,
    expand: (event, _signal, cause) =>
      claimed(
        event.page,
        event.opened,
        artifacts,
        async () => ({ ...(await fetchInput(event, artifacts)), ...earlyTeller(bus, event.page, cause) }),
        ({ blocks }) => blockEvents(bus, event.page, blocks),
      ),
    async done({ event, page }, { result, images }) {
      const sink = sinkOf(page.documentId, page.revision)
      for (const image of images) await sink.write(image.path, image.bytes)
      const ref = await artifacts.put(resultKey(page.documentId, page.revision, page.pageIndex), result, 'lasting')
      await artifacts.forget(passingKey(page), 'passing')
      const { status, blocks } = bus.wanted('blocks') ? await artifacts.get<PageResult>(ref) : result
      // Behind all that may have to be done again.
      counters.blocks += result.blocks.length
      for (const block of result.blocks) counters.blockSources[originOf(block)]++
      counters.lostWords += result.lostWords
      return [pageEnd(page, status, ref, event.opened), ...blockEvents(bus, page, blocks)]
    },
    failed: ({ page, frame, event }, failure) =>
      endFailedPage(artifacts, { stage: 'region-recognition', topic: 'pages.layout', page, frame, opened: event.opened, failure }),
    unreadable: ({ page, frame, opened }, failure) =>
      endFailedPage(artifacts, { stage: 'region-recognition', topic: 'pages.layout', page, frame, opened, failure }),
  }
}

async function fetchInput(event: PageLayout, artifacts: Artifacts): Promise<Input> {
  const [textLayer, verdict, layout] = await Promise.all([
    artifacts.get<TextLayer>(event.textLayer),
    artifacts.get<Verdict>(event.verdict),
    artifacts.get<KeptLayout>(event.blocks),
  ])
  return { event, page: event.page, frame: event.frame, textLayer, verdict, ...layout }
}

function originOf({ source, flags }: PageBlock): BlockOrigin {
  if (flags.includes('fallback')) return 'fallback'
  return source === 'text-layer' || source === 'ocr' || source === 'none' ? source : 'model'
}
