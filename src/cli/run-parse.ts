import { type Config, outputFormats } from '../config/config.ts'
import type { ConfigLayer } from '../config/load-config.ts'
import { parse } from '../parse/parse.ts'
import type { DocumentEvent, ParseEvent } from '../parse/parse-events.ts'
import { PagestreamError, toFailure } from '../schema/failure.ts'
import { heapBound } from './bound-heap.ts'
import { counted } from './counted.ts'
import type { ParseFlags } from './parse-command.ts'
import { print } from './print.ts'
import { ProgressBar } from './progress-bar.ts'
import { reportFailure } from './report-failure.ts'

interface Tally {
  documents: number
  failed: number
  partial: number
  alreadyDone: number
  passedOver: number
}

/** Runs `pagestream parse` and answers with the exit code. */
export async function runParse(inputs: string[], flags: ParseFlags): Promise<number> {
  const interrupted = interruptSignal()
  const tally: Tally = { documents: 0, failed: 0, partial: 0, alreadyDone: 0, passedOver: 0 }
  const bar = new ProgressBar(process.stderr, process.stderr.isTTY === true)
  const boundHeap = heapBound()
  const started = performance.now()
  try {
    const events = parse(inputs, {
      out: flags.out,
      signal: interrupted,
      config: layerOf(flags),
      again: flags.again === true,
      ...(flags.config !== undefined && { configFile: flags.config }),
      ...(flags.pages && { pages: flags.pages }),
      ...(flags.password !== undefined && { password: flags.password }),
    })
    for await (const event of events) {
      boundHeap()
      count(tally, event)
      bar.show(event)
      if (flags.json) printJson(jsonLine(event))
      else if (event.type === 'document') bar.print(documentLine(event))
    }
  } catch (error) {
    bar.end()
    return fail(error, flags)
  }
  bar.end()
  summary(tally, performance.now() - started, flags, interrupted.aborted)
  if (interrupted.aborted) return 130
  return tally.failed > 0 || tally.partial > 0 ? 1 : 0
}

function layerOf(flags: ParseFlags): ConfigLayer {
  const layer: Partial<Record<keyof Config, unknown>> = {
    formats: flags.format?.includes('all') ? outputFormats : flags.format,
    ocr: flags.ocr,
    workers: flags.workers,
    images: flags.images ? undefined : false,
  }
  return layer
}

/** The first Ctrl-C finishes what is under way, the second ends at once. */
function interruptSignal(): AbortSignal {
  const abort = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (abort.signal.aborted) process.exit(130)
      process.stderr.write('\nFinishing what is under way; press Ctrl-C again to end at once.\n')
      abort.abort()
    })
  }
  return abort.signal
}

function count(tally: Tally, event: ParseEvent): void {
  if (event.type === 'passed-over') tally.passedOver++
  if (event.type !== 'document') return
  tally.documents++
  if (event.status === 'failed') tally.failed++
  if (event.status === 'partial') tally.partial++
  if (event.alreadyDone) tally.alreadyDone++
}

function documentLine(event: DocumentEvent): string {
  const { name, status, pages, failedPages, failure, folder, alreadyDone } = event
  if (failure) return `failed    ${name}: ${failure.code}: ${failure.message}`
  if (status === 'partial') return `partial   ${name}: ${failedPages} of ${counted(pages, 'page')} failed → ${folder}`
  return `${alreadyDone ? 'unchanged' : 'done     '} ${name} (${counted(pages, 'page')}) → ${folder}`
}

function jsonLine(event: ParseEvent): Record<string, unknown> {
  switch (event.type) {
    case 'opened':
      return { event: 'opened', documentId: event.documentId, name: event.name, pages: event.pages }
    case 'page':
      return { event: 'page', documentId: event.documentId, name: event.name, page: event.pageIndex + 1, status: event.status }
    case 'passed-over':
      return { event: 'passed-over', path: event.path }
    case 'document': {
      const { documentId, revision, name, path, status, pages, failedPages, folder, outputs, alreadyDone, failure } = event
      return { event: 'document', documentId, revision, name, path, status, pages, failedPages, folder, outputs, alreadyDone, ...(failure && { failure }) }
    }
  }
}

const printJson = (line: Record<string, unknown>): void => print(JSON.stringify(line))

function summary(tally: Tally, ms: number, flags: ParseFlags, interrupted: boolean): void {
  const seconds = Math.round(ms) / 1000
  if (flags.json) {
    printJson({ event: interrupted ? 'interrupted' : 'end', ...tally, seconds })
    return
  }
  const parts = [counted(tally.documents, 'document')]
  if (tally.alreadyDone) parts.push(`${tally.alreadyDone} unchanged`)
  if (tally.partial) parts.push(`${tally.partial} partial`)
  if (tally.failed) parts.push(`${tally.failed} failed`)
  if (tally.passedOver) parts.push(counted(tally.passedOver, 'file is no document', 'files are no documents'))
  process.stderr.write(`${interrupted ? 'Interrupted: ' : ''}${parts.join(', ')} in ${seconds.toFixed(1)} s. Results: ${flags.out}\n`)
}

function fail(error: unknown, flags: ParseFlags): number {
  const failure = toFailure(error)
  if (flags.json) printJson({ event: 'error', failure })
  if (error instanceof PagestreamError) return reportFailure(error)
  process.stderr.write(`pagestream: ${failure.code}: ${failure.message}\n`)
  return 1
}
