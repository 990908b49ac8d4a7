import type { Config } from '../config/config.ts'
import { loadConfig } from '../config/load-config.ts'
import { stageLags } from '../consumers/kafka/group-lag.ts'
import { type DocumentStatus, documentStatus, storeStatus } from '../operations/status.ts'
import { mostWaiting, waitingDocuments } from '../operations/waiting-documents.ts'
import { type Lane, lanes } from '../schema/lane.ts'
import { openStore } from '../store/open-store.ts'
import { askedDocument } from './asked-document.ts'
import { counted } from './counted.ts'
import { print } from './print.ts'
import { printRun } from './print-run.ts'
import type { StatusFlags } from './status-command.ts'
import { shortId, shown } from './terminal-text.ts'

const redrawMs = 500

/** Runs `pagestream status`; answers with the exit code. */
export async function runStatus(flags: StatusFlags): Promise<number> {
  const config = loadConfig({ file: flags.config })
  if (flags.document !== undefined) return ofDocument(config, flags.document, flags)
  return flags.run === undefined ? ofSystem(config, flags) : printRun(config, await openStore(config.store), flags.run, flags)
}

async function ofSystem(config: Config, flags: StatusFlags): Promise<number> {
  const lags = await stageLags(config.kafka)
  for (const { stage, lane, committed, lag } of lags) {
    if (flags.json) print(JSON.stringify({ event: 'stage', stage, lane, committed: Number(committed), lag: Number(lag) }))
    else print(`${stage.padEnd(19)} ${lane.padEnd(5)} ${String(lag).padStart(8)} waiting, ${committed} done`)
  }
  const { scan, limit } = flags
  const { told, ...counts } = await storeStatus(await openStore(config.store), { scan, told: limit, progress: progressOn(process.stderr) })
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
  if (flags.json) print(JSON.stringify({ event: 'documents', ...counts }))
  else {
    const among = counts.more ? ` among the first ${scan} by id; --scan looks at more` : ''
    print(`documents: ${counts.complete} complete, ${counts.underWay} under way, ${counts.unfinished} partial or failed${among}`)
  }
  for (const status of told) printDocument(status, flags)
  return 0
}

async function ofDocument(config: Config, asked: string, flags: StatusFlags): Promise<number> {
  const store = await openStore(config.store)
  const documentId = await askedDocument(asked, config, store)
  if (documentId === undefined) return 1
  const statuses = await documentStatus(documentId, store)
  for (const status of statuses) printDocument(status, flags)
  if (statuses.length > 0) return 0
  const found = await laneOf((lane) => isWaiting(config, documentId, lane))
  if (found) {
    const { lane, state } = found
    if (flags.json) print(JSON.stringify({ event: 'document', documentId, state, lane }))
    else if (state === 'submitted') print(`${shortId(documentId)}  submitted (${lane}), not opened by a worker`)
    else print(`${shortId(documentId)}  not opened by a worker, and not among the first ${mostWaiting} that wait (${lane})`)
    return state === 'submitted' ? 0 : 1
  }
  process.stderr.write('no such document: neither on the topic nor in the store\n')
  return 1
}

/** The lane in which a document waits, else the first in which it may: all lanes are asked before one that cannot tell decides. */
export async function laneOf(
  waits: (lane: Lane) => Promise<'yes' | 'no' | 'unknown'>,
): Promise<{ readonly lane: Lane; readonly state: 'submitted' | 'unknown' } | undefined> {
  let unknown: Lane | undefined
  for (const lane of lanes) {
    const answer = await waits(lane)
    if (answer === 'yes') return { lane, state: 'submitted' }
    if (answer === 'unknown') unknown ??= lane
  }
  return unknown && { lane: unknown, state: 'unknown' }
}

/** Whether the topic holds it and no worker has opened it. */
async function isWaiting(config: Config, documentId: string, lane: Lane): Promise<'yes' | 'no' | 'unknown'> {
  let read = 0
  for await (const id of waitingDocuments(config.kafka, lane)) {
    if (id === documentId) return 'yes'
    read++
  }
  return read >= mostWaiting ? 'unknown' : 'no'
}

function progressOn(stream: NodeJS.WriteStream): (looked: number) => void {
  let drawnAt = performance.now()
  return (looked) => {
    const now = performance.now()
    if (!stream.isTTY || now - drawnAt < redrawMs) return
    drawnAt = now
    stream.write(`\r\u001b[Klooking at the store: ${looked} documents`)
  }
}

function printDocument(status: DocumentStatus, { json }: StatusFlags): void {
  print(json ? documentJson(status) : documentLine(status))
}

function documentJson({ documentId, revision, state, name, counts, end }: DocumentStatus): string {
  return JSON.stringify({ event: 'document', documentId, revision, state, name, counts, failure: end?.failure, outputs: end?.outputs })
}

function documentLine({ documentId, revision, state, name, counts, end }: DocumentStatus): string {
  const parts = [`${shortId(documentId)}/${revision}`, state.padEnd(8), name, counts && pageLine(counts), end?.failure?.code]
  return shown(parts.filter((part) => part !== undefined).join('  '))
}

const pageLine = ({ pages, ...counts }: NonNullable<DocumentStatus['counts']>): string => {
  const parts = Object.entries(counts).filter(([, count]) => count > 0)
  return `${counted(pages, 'page')}: ${parts.map(([what, count]) => `${count} ${what === 'laidOut' ? 'laid out' : what}`).join(', ')}`
}
