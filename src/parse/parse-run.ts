import { createHash } from 'node:crypto'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { resultsKey } from '../consumers/chain/keys.ts'
import { identify, revisionOf } from '../inputs/identify.ts'
import type { InputFile, PassedOver } from '../inputs/input-files.ts'
import type { DocumentAssembled, DocumentOpened, PageRecognized } from '../schema/events.ts'
import { type Failure, PagestreamError, toFailure } from '../schema/failure.ts'
import type { DocumentSource, PageResult } from '../schema/page.ts'
import { FolderLock } from '../store/folder-lock.ts'
import { FolderSink } from '../store/folder-sink.ts'
import { FsBlobStore } from '../store/fs-blob-store.ts'
import { LocalArtifacts } from '../store/local-artifacts.ts'
import type { OutputSink } from '../store/output-sink.ts'
import type { Counters } from '../telemetry/counters.ts'
import { DoneMarks } from './done-marks.ts'
import { EventFeed } from './event-feed.ts'
import { OutputFolders } from './output-folders.ts'
import { outputReader } from './output-reader.ts'
import type { DocumentEvent, ParseEvent } from './parse-events.ts'
import { Pipeline } from './pipeline.ts'

export interface ParseRunOptions {
  readonly config: Config
  readonly out: string
  readonly pages: readonly number[] | undefined
  readonly password: string | undefined
  readonly signal: AbortSignal | undefined
  readonly again: boolean
}

/** A document under way. */
interface Job {
  readonly source: DocumentSource
  readonly documentId: string
  readonly revision: string
  readonly folder: string
  readonly sink: OutputSink
  /** Files with the same bytes, found meanwhile: they get a copy. */
  readonly copies: { folder: string; source: DocumentSource }[]
  pagesSeen: number
  opened: boolean
  assembled?: DocumentAssembled
}

/** How long an interrupted run may take to finish what is under way. */
const drainMs = 20_000

/** One run over many inputs: submits at most so many documents at once and turns the chain's events into those of `parse`. */
export class ParseRun {
  readonly #options: ParseRunOptions
  /** Folder of what the next run must know. */
  readonly #state: string
  #lock: FolderLock | undefined
  readonly #artifacts: LocalArtifacts
  readonly #marks: DoneMarks
  readonly #folders = new OutputFolders()
  readonly #pipeline: Pipeline
  readonly #pages: EventFeed<'pages.recognized'>
  readonly #documents: EventFeed<'documents.assembled'>
  readonly #jobs = new Map<string, Job>()
  #ready: ParseEvent[] = []
  #submitted = false
  #drained = false
  #error: Error | undefined
  #wake: () => void = () => {}
  #roomFor: () => void = () => {}

  constructor(options: ParseRunOptions) {
    this.#options = options
    this.#state = join(options.out, '.pagestream')
    this.#artifacts = new LocalArtifacts(this.#state)
    this.#marks = new DoneMarks(new FsBlobStore(this.#state))
    const onFatal = (error: Error) => this.#fail(error)
    this.#pipeline = new Pipeline({
      config: options.config,
      artifacts: this.#artifacts,
      password: options.password,
      sinkOf: (documentId) => this.#job(documentId).sink,
      onFatal,
    })
    const on = { ready: () => this.#wake(), fatal: onFatal }
    const { bufferedPages } = options.config.limits
    this.#pages = new EventFeed(this.#pipeline.bus, 'pages.recognized', bufferedPages, on)
    this.#documents = new EventFeed(this.#pipeline.bus, 'documents.assembled', bufferedPages, on)
  }

  get counters(): Counters {
    return this.#pipeline.counters
  }

  async *events(files: AsyncIterable<InputFile | PassedOver>): AsyncGenerator<ParseEvent, void, undefined> {
    this.#lock = await FolderLock.take(this.#state)
    await this.#pages.start()
    await this.#documents.start()
    if (!(await this.#starts())) return
    const submitting = this.#submitAll(files).catch((error) => this.#fail(error))
    const stop = () => this.#drain()
    this.#options.signal?.addEventListener('abort', stop)
    if (this.#options.signal?.aborted) stop()
    try {
      yield* this.#follow()
      if (!this.#drained) await submitting
    } finally {
      this.#options.signal?.removeEventListener('abort', stop)
    }
  }

  /** False when the run was told to end while its engines were still starting, which may take a server's model minutes. */
  async #starts(): Promise<boolean> {
    const { signal } = this.#options
    try {
      await this.#pipeline.start(signal)
      return true
    } catch (error) {
      if (signal?.aborted && error instanceof PagestreamError && error.code === 'cancelled') return false
      throw error
    }
  }

  /** An interrupt: no new pages, those under way go to their end and are still reported. */
  #drain(): void {
    this.#roomFor()
    this.#pipeline
      .drain(drainMs)
      .catch((error) => this.#fail(error))
      .finally(() => {
        this.#drained = true
        this.#wake()
      })
  }

  async close(): Promise<void> {
    this.#submitted = true
    this.#roomFor()
    await this.#pages.close()
    await this.#documents.close()
    await this.#pipeline[Symbol.asyncDispose]()
    await this.#artifacts[Symbol.asyncDispose]()
    await this.#lock?.[Symbol.asyncDispose]()
  }

  /** Until everything submitted is done, or what was under way at an interrupt. */
  async *#follow(): AsyncGenerator<ParseEvent, void, undefined> {
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      const last = this.#drained
      yield* this.#available()
      if (this.#error) throw this.#error
      if (last || (this.#submitted && this.#jobs.size === 0 && this.#ready.length === 0)) return
      await changed
    }
  }

  async *#available(): AsyncGenerator<ParseEvent, void, undefined> {
    for (;;) {
      const event = this.#ready.shift()
      if (event) {
        yield event
        this.#roomFor()
      }
      const page = this.#pages.next()
      if (page) {
        yield* this.#onPage(page.payload)
        this.#pages.finish(page.record)
      }
      const document = this.#documents.next()
      if (document) {
        const job = this.#job(document.payload.documentId)
        job.assembled = document.payload
        yield* this.#finishIfWhole(job)
        this.#documents.finish(document.record)
      }
      if (!event && !page && !document) return
    }
  }

  async *#onPage(event: PageRecognized): AsyncGenerator<ParseEvent, void, undefined> {
    if (event.kind === 'document') return
    const { documentId, pageIndex } = event.page
    const job = this.#jobs.get(documentId)
    if (!job) return
    const { name } = job.source
    if (!job.opened) {
      job.opened = true
      const pages = await this.#artifacts.get<DocumentOpened>(event.opened).then(
        (opened) => opened.pages.length,
        () => event.page.pageCount,
      )
      yield { type: 'opened', documentId, name, pages }
    }
    job.pagesSeen++
    yield { type: 'page', documentId, name, pageIndex, status: event.status, result: () => this.#artifacts.get<PageResult>(event.result) }
    yield* this.#finishIfWhole(job)
  }

  /** The document's event comes after those of its pages, whichever topic was faster. */
  async *#finishIfWhole(job: Job): AsyncGenerator<ParseEvent, void, undefined> {
    const { assembled, documentId, revision, folder, source } = job
    if (!assembled || job.pagesSeen < assembled.pages) return
    const mark = { formats: [...this.#options.config.formats], folder, assembled }
    if (isFinal(assembled)) await this.#marks.set(mark)
    yield this.#documentEvent(source, folder, assembled, false)
    for (const copy of job.copies) {
      await cp(join(this.#options.out, folder), join(this.#options.out, copy.folder), { recursive: true })
      const assembledCopy = { ...assembled, source: copy.source }
      if (isFinal(assembled)) await this.#marks.set({ ...mark, folder: copy.folder, assembled: assembledCopy })
      yield this.#documentEvent(copy.source, copy.folder, assembledCopy, false)
    }
    const results = resultsKey(documentId, revision)
    await this.#artifacts.forget(results, 'passing')
    if (isFinal(assembled)) await this.#artifacts.forget(results, 'lasting')
    else await this.#artifacts.release(results)
    await this.#pipeline.release(source)
    this.#jobs.delete(documentId)
    this.#roomFor()
  }

  async #submitAll(files: AsyncIterable<InputFile | PassedOver>): Promise<void> {
    for await (const file of files) {
      if ('passedOver' in file) this.#report({ type: 'passed-over', path: file.path })
      else await this.#submit(file)
      while (this.#isFull && !this.#stopped) {
        await new Promise<void>((resolve) => {
          this.#roomFor = resolve
        })
      }
      if (this.#stopped) break
    }
    this.#submitted = true
    this.#wake()
  }

  /** As many documents under way, or events that nobody has taken yet, as the limits allow. */
  get #isFull(): boolean {
    const { openDocuments, bufferedPages } = this.#options.config.limits
    return this.#jobs.size >= openDocuments || this.#ready.length >= bufferedPages
  }

  get #stopped(): boolean {
    return this.#submitted || this.#error !== undefined || this.#options.signal?.aborted === true
  }

  async #submit(file: InputFile): Promise<void> {
    const { config, pages } = this.#options
    const folder = this.#folders.nameOf(file.name, file.path)
    let failure = file.failure
    let source: DocumentSource = { name: file.name, path: file.path, bytes: 0, sha256: '', mediaType: 'application/octet-stream' }
    if (!failure) {
      try {
        source = await identify(file.path, file.name, config.limits.maxDocumentBytes)
      } catch (error) {
        failure = toFailure(error)
      }
    }
    const documentId = source.sha256 || createHash('sha256').update(`path:${file.path}`).digest('hex')
    const revision = revisionOf(source.sha256, config, pages)
    const done = failure || this.#options.again ? undefined : await this.#marks.find(folder, documentId, revision, config.formats)
    if (done) return this.#report(this.#documentEvent(source, folder, done.assembled, true))
    const same = this.#jobs.get(documentId)
    if (same) {
      if (same.folder !== folder) same.copies.push({ folder, source })
      return
    }
    const sink = new FolderSink(join(this.#options.out, folder))
    this.#jobs.set(documentId, { source, documentId, revision, folder, sink, copies: [], pagesSeen: 0, opened: false })
    await this.#publish(documentId, revision, source, failure)
  }

  async #publish(documentId: string, revision: string, source: DocumentSource, failure: Failure | undefined): Promise<void> {
    const { config, pages } = this.#options
    const record = failure
      ? ({ topic: 'pages.recognized', key: documentId, payload: { kind: 'document', documentId, revision, source, failure } } as const)
      : ({
          topic: 'documents',
          key: documentId,
          payload: { documentId, revision, source, ocr: config.ocr, ...(pages && { pages: [...pages] }) },
        } as const)
    await this.#pipeline.bus.publish([record])
  }

  #documentEvent(source: DocumentSource, folderName: string, assembled: DocumentAssembled, alreadyDone: boolean): DocumentEvent {
    const { documentId, revision, status, pages, failedPages, outputs, failure } = assembled
    const folder = join(this.#options.out, folderName)
    return {
      type: 'document',
      ...{ documentId, revision, status, pages, failedPages, outputs, folder, alreadyDone },
      name: source.name,
      path: source.path,
      ...(failure && { failure }),
      ...outputReader(folder),
    }
  }

  #job(documentId: string): Job {
    const job = this.#jobs.get(documentId)
    if (!job) throw new PagestreamError('internal', `document ${documentId} is not part of this run`)
    return job
  }

  #report(event: ParseEvent): void {
    this.#ready.push(event)
    this.#wake()
  }

  #fail(error: Error): void {
    this.#error ??= error
    this.#wake()
    this.#roomFor()
  }
}

/** Whether the next run may pass the document over. One that failed is always tried again: the password or a limit may be another. */
const isFinal = ({ status }: DocumentAssembled): boolean => status === 'complete'
