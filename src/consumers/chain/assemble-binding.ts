import type { Chunk } from '../../schema/chunk.ts'
import type { DocumentAssembled, PageRecognized } from '../../schema/events.ts'
import { PagestreamError, toFailure } from '../../schema/failure.ts'
import type { PageResult } from '../../schema/page.ts'
import type { Outcome, Stage, Window } from '../../schema/stage.ts'
import { type AssembleOptions, assemble } from '../../stages/assemble/assembler.ts'
import type { Artifacts } from '../../store/artifacts.ts'
import type { OutputSink } from '../../store/output-sink.ts'
import type { Bus, OutRecord } from '../bus.ts'
import type { StageBinding } from '../stage-worker.ts'
import { type CompleteDocument, Completion } from './completion.ts'
import { openedKey } from './keys.ts'

type Input = PageRecognized

export interface AssembleBindingOptions {
  readonly artifacts: Artifacts
  readonly bus: Bus
  readonly options: (document: { documentId: string; source: DocumentAssembled['source'] }) => AssembleOptions
  sinkOf(documentId: string): OutputSink
}

/** pages.recognized → documents.assembled and chunks: the last page of a document brings the document. */
export function assembleBinding(binding: AssembleBindingOptions): StageBinding<'pages.recognized', Input, DocumentAssembled | undefined> {
  const { artifacts } = binding
  return {
    topic: 'pages.recognized',
    stage: assembleStage(binding),
    async *expand(event) {
      yield { kind: 'page', page: event }
    },
    async done(_input, assembled) {
      if (!assembled) return []
      await artifacts.forget(openedKey(assembled.documentId, assembled.revision), 'passing')
      return [{ topic: 'documents.assembled', key: assembled.documentId, payload: assembled }]
    },
    failed: async (event, failure) => assemblyFailed(event, failure),
    unreadable: async (event, failure) => assemblyFailed(event, failure),
  }
}

function assembleStage(binding: AssembleBindingOptions): Stage<Input, DocumentAssembled | undefined> {
  const completion = new Completion(binding.artifacts)
  return {
    name: 'assemble',
    cost: () => 1,
    async *process(window: Window<Input>): AsyncIterable<Outcome<Input, DocumentAssembled | undefined>> {
      for (const input of window.pages) {
        try {
          const complete = input.kind === 'page' ? await completion.add(input) : undefined
          const assembled = input.kind === 'document' ? await assembleFailed(input, binding) : complete && (await assembleWhole(complete, binding))
          yield { kind: 'done', input, value: assembled }
        } catch (error) {
          yield { kind: 'failed', input, failure: toFailure(error) }
        }
      }
    },
  }
}

async function assembleWhole(document: CompleteDocument, binding: AssembleBindingOptions): Promise<DocumentAssembled> {
  const { documentId, revision, source, opened, results } = document
  const page = async (index: number): Promise<PageResult> => {
    const ref = results.get(index)
    if (!ref) throw new PagestreamError('internal', `assembling ${documentId}: page ${index} has no result`)
    return await binding.artifacts.get<PageResult>(ref)
  }
  return run({ documentId, revision, source, info: opened.info, pageIndices: opened.pages, page }, binding)
}

async function assembleFailed(event: PageRecognized & { kind: 'document' }, binding: AssembleBindingOptions): Promise<DocumentAssembled> {
  const { documentId, revision, source, failure } = event
  const page = async () => Promise.reject(new PagestreamError('internal', `assembling ${documentId}: it has no pages`))
  return run({ documentId, revision, source, pageIndices: [], page, failure }, binding)
}

async function run(input: Parameters<typeof assemble>[0], binding: AssembleBindingOptions): Promise<DocumentAssembled> {
  const { documentId, revision, source } = input
  const chunk = binding.bus.wanted('chunks') ? (value: Chunk) => binding.bus.publish([{ topic: 'chunks', key: value.id, payload: value }]) : undefined
  const summary = await assemble(input, binding.options({ documentId, source }), binding.sinkOf(documentId), chunk ? { chunk } : {})
  return { documentId, revision, source, ...summary }
}

/** Assembly itself failed: the document ends all the same, named with its error. */
function assemblyFailed(event: PageRecognized, failure: DocumentAssembled['failure'] & object): OutRecord[] {
  const { documentId, revision, source } = event.kind === 'page' ? event.page : event
  const payload: DocumentAssembled = { documentId, revision, source, status: 'failed', pages: 0, failedPages: 0, outputs: [], failure }
  return [
    { topic: 'documents.assembled', key: documentId, payload },
    { topic: 'dead-letter', key: documentId, payload: { stage: 'assemble', topic: 'pages.recognized', documentId, revision, failure, record: { source } } },
  ]
}
