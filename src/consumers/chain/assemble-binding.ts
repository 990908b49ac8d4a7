import type { Chunk } from '../../schema/chunk.ts'
import type { DocumentAssembled, PageRecognized } from '../../schema/events.ts'
import { PagestreamError, toFailure } from '../../schema/failure.ts'
import type { PageResult } from '../../schema/page.ts'
import type { Outcome, Stage, Window } from '../../schema/stage.ts'
import { type AssembleOptions, assemble } from '../../stages/assemble/assembler.ts'
import type { Artifacts } from '../../store/artifacts.ts'
import type { OutputSink } from '../../store/output-sink.ts'
import type { Counters } from '../../telemetry/counters.ts'
import type { Distribution } from '../../telemetry/distribution.ts'
import { traceIdOf } from '../../telemetry/trace-context.ts'
import type { Bus, OutRecord } from '../bus.ts'
import type { Cause, StageBinding } from '../stage-binding.ts'
import { ChunkFeed } from './chunk-feed.ts'
import { type CompleteDocument, Completion } from './completion.ts'
import { doneKey, openedKey, unfinishedKey } from './keys.ts'

/** An event, with what those that follow from it carry on. */
type Input = PageRecognized & { readonly cause: Cause }

/** The last word on a document, the page whose event brought it to its end, and what it was read with, models apart. */
interface Done extends DocumentAssembled {
  readonly endedBy?: number
  readonly settings?: string
}

/** Seconds since the document was submitted, by the clocks of the broker and of this machine. */
function observe({ cause: { submittedMs, traceparent } }: Input, into: Distribution): void {
  if (submittedMs !== undefined) into.observe((Date.now() - submittedMs) / 1000, traceIdOf(traceparent))
}

/** As it is sent. */
const lastWord = ({ endedBy: _, settings: __, ...assembled }: Done): DocumentAssembled => assembled

export interface AssembleBindingOptions {
  readonly artifacts: Artifacts
  readonly bus: Bus
  readonly counters: Counters
  /** `settingsOf` the configuration. */
  readonly settings: string
  readonly options: (document: { documentId: string; revision: string; source: DocumentAssembled['source'] }) => AssembleOptions
  sinkOf(documentId: string, revision: string): OutputSink
}

/** pages.recognized → documents.assembled and chunks: the last page of a document brings the document. */
export function assembleBinding(binding: AssembleBindingOptions): StageBinding<'pages.recognized', Input, DocumentAssembled | undefined> {
  const { artifacts } = binding
  const completion = new Completion(artifacts, { rebuild: artifacts.shared })
  return {
    topic: 'pages.recognized',
    stage: assembleStage(binding, completion),
    reassigned() {
      if (artifacts.shared) completion.forget()
    },
    async *expand(event, _signal, cause) {
      yield { kind: 'page', page: { ...event, cause } }
    },
    async done(input, assembled) {
      const { documents, documentSeconds, firstPageSeconds } = binding.counters
      if (input.kind === 'page' && input.page.pageIndex === 0) observe(input, firstPageSeconds)
      if (!assembled) return []
      documents[assembled.status]++
      observe(input, documentSeconds[assembled.status])
      if (!artifacts.shared) await artifacts.forget(openedKey(assembled.documentId, assembled.revision), 'passing')
      return [{ topic: 'documents.assembled', key: assembled.documentId, payload: assembled }]
    },
    failed: (event, failure) => assemblyFailed(event, failure, binding),
    unreadable: (event, failure) => assemblyFailed(event, failure, binding),
  }
}

function assembleStage(binding: AssembleBindingOptions, completion: Completion): Stage<Input, DocumentAssembled | undefined> {
  return {
    name: 'assemble',
    cost: () => 1,
    async *process(window: Window<Input>): AsyncIterable<Outcome<Input, DocumentAssembled | undefined>> {
      for (const input of window.pages) {
        try {
          yield { kind: 'done', input, value: await assembledBy(input, completion, binding) }
        } catch (error) {
          yield { kind: 'failed', input, failure: toFailure(error) }
        }
      }
    },
  }
}

/** The document that this event brings to its end, if it does. */
async function assembledBy(input: Input, completion: Completion, binding: AssembleBindingOptions): Promise<DocumentAssembled | undefined> {
  if (input.kind === 'document') return assembleFailed(input, binding)
  const { artifacts } = binding
  const { documentId, revision, pageIndex } = input.page
  const late = completion.isLate(input.page)
  if (artifacts.shared && (late || !completion.knows(input.page))) {
    const done = await artifacts.find(doneKey(documentId, revision), 'lasting')
    if (done) {
      // It was assembled before: the page that ended it brings the same event again. Whoever died before that was sent owes it,
      // and whoever submits the document again waits for it.
      const mark = await artifacts.get<Done>(done)
      return pageIndex === mark.endedBy ? lastWord(mark) : undefined
    }
    // A replay opens a document that has ended again: its pages are waited for anew.
    if (late && (await artifacts.find(unfinishedKey(documentId, revision), 'either'))) return undefined
  }
  const complete = await completion.add(input)
  if (!complete) return undefined
  try {
    return await assembleWhole(complete, pageIndex, input.cause, binding)
  } catch (error) {
    completion.reopen(complete)
    throw error
  } finally {
    completion.ended(complete)
  }
}

async function assembleWhole(document: CompleteDocument, endedBy: number, cause: Cause, binding: AssembleBindingOptions): Promise<DocumentAssembled> {
  const { documentId, revision, source, opened, results } = document
  const page = async (index: number): Promise<PageResult> => {
    const ref = results.get(index)
    if (!ref) throw new PagestreamError('internal', `assembling ${documentId}: page ${index} has no result`)
    return await binding.artifacts.get<PageResult>(ref)
  }
  return run({ documentId, revision, source, info: opened.info, pageIndices: opened.pages, page }, { endedBy, cause }, binding)
}

async function assembleFailed(event: Input & { kind: 'document' }, binding: AssembleBindingOptions): Promise<DocumentAssembled> {
  const { documentId, revision, source, failure } = event
  const page = async () => Promise.reject(new PagestreamError('internal', `assembling ${documentId}: it has no pages`))
  return run({ documentId, revision, source, pageIndices: [], page, failure }, { cause: event.cause }, binding)
}

async function run(
  input: Parameters<typeof assemble>[0],
  { endedBy, cause }: { endedBy?: number; cause: Cause },
  binding: AssembleBindingOptions,
): Promise<DocumentAssembled> {
  const { documentId, revision, source } = input
  const { artifacts, bus } = binding
  const feed = artifacts.shared && bus.wanted('chunks') ? new ChunkFeed({ documentId, revision, artifacts, bus, cause }) : undefined
  const send = async (payload: Chunk): Promise<void> => bus.publish([{ topic: 'chunks', key: payload.id, payload, ...cause }])
  const chunk = feed ? async (value: Chunk) => feed.add(value) : bus.wanted('chunks') ? send : undefined
  const summary = await assemble(input, binding.options({ documentId, revision, source }), binding.sinkOf(documentId, revision), chunk ? { chunk } : {})
  // Of a document that could not be read nothing is known: readers keep what they have.
  if (summary.status !== 'failed') await feed?.close()
  const assembled = { documentId, revision, source, ...summary }
  if (!artifacts.shared) return assembled
  if (assembled.status !== 'complete') {
    await artifacts.put(unfinishedKey(documentId, revision), assembled, 'passing')
    return assembled
  }
  // The first to end it has the last word, whoever else assembles it at the same time.
  const mark: Done = { ...assembled, ...(endedBy !== undefined && { endedBy }), settings: binding.settings }
  return lastWord(await artifacts.get<Done>(await artifacts.put(doneKey(documentId, revision), mark, 'lasting')))
}

/** Assembly itself failed: the document ends all the same, named with its error. */
async function assemblyFailed(
  event: PageRecognized,
  failure: DocumentAssembled['failure'] & object,
  { artifacts, counters }: AssembleBindingOptions,
): Promise<OutRecord[]> {
  const { documentId, revision, source } = event.kind === 'page' ? event.page : event
  const payload: DocumentAssembled = { documentId, revision, source, status: 'failed', pages: 0, failedPages: 0, outputs: [], failure }
  if (artifacts.shared) await artifacts.put(unfinishedKey(documentId, revision), payload, 'passing')
  counters.documents.failed++
  return [
    { topic: 'documents.assembled', key: documentId, payload },
    { topic: 'dead-letter', key: documentId, payload: { stage: 'assemble', topic: 'pages.recognized', documentId, revision, failure, record: { source } } },
  ]
}
