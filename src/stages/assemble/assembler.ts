import type { OutputFormat } from '../../config/config.ts'
import type { Flag } from '../../schema/block-kind.ts'
import type { Chunk } from '../../schema/chunk.ts'
import type { DocumentInfo } from '../../schema/document.ts'
import type { Failure } from '../../schema/failure.ts'
import { type ModelUsage, sumOfUsage } from '../../schema/model-usage.ts'
import type { DocumentSource, PageResult } from '../../schema/page.ts'
import type { OutputSink } from '../../store/output-sink.ts'
import type { CellMerger } from './flow/cell-merger.ts'
import { type Draft, documentBlock } from './flow/draft.ts'
import { Flow, type FlowOptions } from './flow/flow.ts'
import { PageDrafts } from './flow/page-drafts.ts'
import { DocumentSurvey, type Survey } from './survey/survey.ts'
import type { TitleLeveller } from './survey/title-leveller.ts'
import type { DocumentHead, OutputWriter } from './writers/output-writer.ts'
import { outputWriters } from './writers/output-writers.ts'

/** A document whose pages have all come to an end. Page results are fetched, twice each and in order, never held. */
export interface AssemblyInput {
  readonly documentId: string
  readonly revision: string
  readonly source: DocumentSource
  readonly info?: DocumentInfo
  /** 0-based pages that were asked for, ascending. */
  readonly pageIndices: readonly number[]
  page(index: number): Promise<PageResult>
  /** Why the document failed before its first page; `pageIndices` is empty then. */
  readonly failure?: Failure
}

export interface AssembleOptions {
  readonly formats: readonly OutputFormat[]
  readonly chunks: { readonly maxTokens: number; readonly minTokens: number }
  /** Writers of further outputs, for example the HTML viewer. */
  readonly writers?: readonly OutputWriter[]
  /** Asked about rows of tables that a model read and the end of a page may have cut; without it only the words tell. */
  readonly cells?: CellMerger | undefined
  /** Asked about the levels of headings; without it numbers, bookmarks and type tell. */
  readonly titles?: TitleLeveller | undefined
  /** Told whether it gave a document its levels. */
  readonly onLevels?: (told: boolean) => void
}

export interface AssemblyListeners {
  chunk?(chunk: Chunk): void | Promise<void>
}

/** What `documents.assembled` says beyond the document's identity. */
export interface AssemblySummary {
  readonly status: DocumentHead['status']
  readonly pages: number
  readonly failedPages: number
  readonly outputs: string[]
  readonly usage?: ModelUsage
  readonly failure?: Failure
}

/**
 * Makes a document of its pages and writes all outputs. Memory does not grow with the pages but for a few numbers
 * of each: pass 1 looks at every page to learn what the whole document says, pass 2 streams them through the flow
 * into the writers. Every page block goes out once, as a block or as part of the block that took it over.
 * Rejects when a page result or an output cannot be read or written; no output appears then.
 */
export async function assemble(input: AssemblyInput, options: AssembleOptions, sink: OutputSink, on: AssemblyListeners = {}): Promise<AssemblySummary> {
  const asking = new AbortController()
  try {
    return await assembleAll(input, options, sink, on, asking.signal)
  } finally {
    asking.abort() // nobody waits for answers any more
  }
}

async function assembleAll(
  input: AssemblyInput,
  options: AssembleOptions,
  sink: OutputSink,
  on: AssemblyListeners,
  signal: AbortSignal,
): Promise<AssemblySummary> {
  const survey = await surveyed(input)
  const isLevelled = await askForLevels(survey, options, signal)
  const head = headOf(input, survey, isLevelled ? [] : ['fallback'])
  const writers = [...outputWriters(options, sink, on), ...(options.writers ?? [])]
  try {
    for (const writer of writers) await writer.begin(head)
    await stream(input, survey, writers, { spelling: survey.spelling, cells: options.cells, signal })
    const outputs: string[] = []
    for (const writer of writers) outputs.push(...(await writer.end()))
    return summaryOf(head, outputs)
  } catch (error) {
    await Promise.allSettled(writers.map((writer) => writer.abandon()))
    throw error
  }
}

async function surveyed(input: AssemblyInput): Promise<Survey> {
  const survey = new DocumentSurvey(input.info)
  if (!input.failure) for (const index of input.pageIndices) survey.add(await input.page(index))
  return survey.finish()
}

/** False where levels were to be told and were not: headings keep those that they have. One heading alone is not asked about. */
async function askForLevels({ headings }: Survey, { titles, onLevels }: AssembleOptions, signal: AbortSignal): Promise<boolean> {
  if (!titles || headings.toLevel.length < 2) return true
  const told = headings.follow(await titles.levels(headings.toLevel, signal))
  onLevels?.(told)
  return told
}

async function stream(input: AssemblyInput, survey: Survey, writers: readonly OutputWriter[], options: FlowOptions): Promise<void> {
  if (input.failure) return
  let order = 0
  const flow = new Flow(options, async (draft: Draft) => {
    const block = draft.absorbedBy === undefined ? documentBlock(draft, order++) : undefined
    for (const writer of writers) await writer.block({ draft, block })
  })
  const drafts = new PageDrafts(survey)
  for (const index of input.pageIndices) {
    const page = await input.page(index)
    await flow.page(page, drafts.of(page))
  }
  await flow.finish()
}

/** A document with a failed page is partial; one without a readable page has failed, for the reason of its first page. */
function headOf({ documentId, revision, source, info, failure }: AssemblyInput, { pages, title }: Survey, flags: readonly Flag[]): DocumentHead {
  const failed = pages.filter((page) => page.status === 'failed')
  const usage = sumOfUsage(pages.map((page) => page.usage))
  const reason = failure ?? (failed.length === pages.length ? failed[0]?.failure : undefined)
  const { name, mediaType, bytes, sha256 } = source
  return {
    id: documentId,
    revision,
    ...(title.text === undefined ? {} : { title: title.text }),
    status: failure || (pages.length > 0 && failed.length === pages.length) ? 'failed' : failed.length > 0 ? 'partial' : 'complete',
    source: { name, mediaType: info?.mediaType ?? mediaType, bytes, sha256 },
    metadata: info?.metadata ?? {},
    outline: info?.outline ?? [],
    flags: [...(info?.flags ?? []), ...flags],
    ...(usage && { usage }),
    pages: [...pages],
    ...(reason ? { failure: reason } : {}),
  }
}

function summaryOf({ status, pages, usage, failure }: DocumentHead, outputs: string[]): AssemblySummary {
  const failedPages = pages.filter((page) => page.status === 'failed').length
  return { status, pages: pages.length, failedPages, outputs, ...(usage && { usage }), ...(failure ? { failure } : {}) }
}
