import type { Config } from '../../config/config.ts'
import { settingsOf } from '../../config/what-decides.ts'
import type { Documents } from '../../runtime/document-reader.ts'
import type { LineReader, TextFinder } from '../../runtime/text-reader.ts'
import type { VlmPageReader } from '../../runtime/vlm/page-reader.ts'
import type { PictureCache } from '../../runtime/vlm/pictures/picture-cache.ts'
import type { Lane } from '../../schema/lane.ts'
import type { DocumentSource } from '../../schema/page.ts'
import type { StageName } from '../../schema/stage.ts'
import type { TopicName } from '../../schema/topics.ts'
import type { AssembleOptions } from '../../stages/assemble/assembler.ts'
import { layoutStage } from '../../stages/layout/stage.ts'
import { pageRenderStage } from '../../stages/page-render/stage.ts'
import { regionRecognitionStage } from '../../stages/region-recognition/stage.ts'
import { textFinderStage } from '../../stages/text-finder/stage.ts'
import type { Artifacts } from '../../store/artifacts.ts'
import type { OutputSink } from '../../store/output-sink.ts'
import type { WindowView } from '../../telemetry/worker-view.ts'
import type { Bus } from '../bus.ts'
import type { IntakeState } from '../intake-gate.ts'
import type { StageBinding } from '../stage-binding.ts'
import { StageWorker, type StageWorkerOptions } from '../stage-worker.ts'
import { assembleBinding } from './assemble-binding.ts'
import { keptOriginal } from './kept-original.ts'
import { layoutBinding } from './layout-binding.ts'
import { pageRenderBinding } from './page-render-binding.ts'
import { regionRecognitionBinding } from './region-recognition-binding.ts'
import { textFinderBinding } from './text-finder-binding.ts'

/** A vision-language model for the stages that look at pages. */
export interface ChainModel {
  readonly reader: VlmPageReader
  readonly pictures: PictureCache
}

/** What the stages of one process share. */
export interface ChainParts {
  readonly config: Config
  readonly bus: Bus
  readonly artifacts: Artifacts
  readonly documents: Documents
  readonly finder: TextFinder
  readonly reader: LineReader
  /** Started; absent where no vision-language model is configured. */
  readonly model?: ChainModel | undefined
  readonly counters: StageWorkerOptions['counters']
  sinkOf(documentId: string, revision: string): OutputSink
  assembleOptions(source: DocumentSource, sink: OutputSink): AssembleOptions
}

export interface ChainWorker {
  readonly stage: StageName
  readonly lane: Lane
  readonly state: IntakeState
  readonly partitions: readonly number[]
  readonly window: WindowView
  readonly pagesInFlight: number
  readonly bytesHeld: number
  readonly isPaused: boolean
  start(): Promise<void>
  drain(): Promise<void>
  stalledMs(): number
  lagMs(): number
}

/** One worker for each of the stages that are named, in the order of the chain: the same on a laptop and on a cluster. */
export function chainWorkers(
  stages: ReadonlySet<StageName>,
  parts: ChainParts,
  options: (stage: StageName) => Omit<StageWorkerOptions, 'bus' | 'counters' | 'group' | 'keep'>,
): ChainWorker[] {
  const { config, bus, artifacts, documents, finder, reader, counters, sinkOf } = parts
  const { effort } = config.vlm
  const model = parts.model && { ...parts.model, documents, finder, effort }
  const worker = <T extends TopicName, In, Out>(binding: StageBinding<T, In, Out>): ChainWorker =>
    new StageWorker(binding, {
      ...{ bus, counters, group: binding.stage.name, ...options(binding.stage.name) },
      ...(artifacts.shared && { keep: (original) => keptOriginal(original, artifacts) }),
    })
  const makers: Readonly<Record<StageName, () => ChainWorker>> = {
    'page-render': () => worker(pageRenderBinding({ stage: pageRenderStage({ documents, leftToModel: isLeftToModel(config.vlm) }), documents, artifacts })),
    'text-finder': () =>
      worker(
        textFinderBinding({
          stage: textFinderStage({ documents, finder, reader, config, leftToModel: isLeftToModel(config.vlm) }),
          artifacts,
          counters,
        }),
      ),
    layout: () => worker(layoutBinding({ stage: layoutStage(model), artifacts, bus, byModel: model !== undefined })),
    'region-recognition': () =>
      worker(
        regionRecognitionBinding({ stage: regionRecognitionStage({ documents, reader, config, ...(model && { model }) }), artifacts, bus, counters, sinkOf }),
      ),
    assemble: () =>
      worker(
        assembleBinding({
          ...{ artifacts, bus, counters, sinkOf, settings: settingsOf(config) },
          options: ({ documentId, revision, source }) => parts.assembleOptions(source, sinkOf(documentId, revision)),
        }),
      ),
  }
  return (Object.keys(makers) as StageName[]).filter((stage) => stages.has(stage)).map((stage) => makers[stage]())
}

/** A two-step model finds writing however it is turned; a one-pass model must be given upright pages. */
const isLeftToModel = ({ family, effort }: Config['vlm']): boolean => family !== 'none' && family !== 'unlimited-ocr' && effort !== 'low'
