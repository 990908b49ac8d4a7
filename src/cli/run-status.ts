import type { Config } from '../config/config.ts'
import { loadConfig } from '../config/load-config.ts'
import { stageLags } from '../consumers/kafka/group-lag.ts'
import { readTopic } from '../consumers/kafka/topic-reader.ts'
import { type DocumentStatus, documentStatus, storeStatus } from '../operations/status.ts'
import { type Lane, lanes } from '../schema/lane.ts'
import { openStore } from '../store/open-store.ts'
import { shortId } from './run-tail.ts'
import type { StatusFlags } from './status-command.ts'

/** Runs `pagestream status`; answers with the exit code. */
export async function runStatus(flags: StatusFlags): Promise<number> {
  const config = loadConfig({ file: flags.config })
  return flags.document === undefined ? ofSystem(config, flags) : ofDocument(config, flags.document, flags)
}

async function ofSystem(config: Config, flags: StatusFlags): Promise<number> {
  const lags = await stageLags(config.kafka)
  for (const { stage, lane, committed, lag } of lags) {
    if (flags.json) print(JSON.stringify({ event: 'stage', stage, lane, committed: Number(committed), lag: Number(lag) }))
    else print(`${stage.padEnd(19)} ${lane.padEnd(5)} ${String(lag).padStart(8)} waiting, ${committed} done`)
  }
  const { told, ...counts } = await storeStatus(await openStore(config.store), flags.limit)
  if (flags.json) print(JSON.stringify({ event: 'documents', ...counts }))
  else print(`documents: ${counts.complete} complete, ${counts.underWay} under way, ${counts.unfinished} partial or failed`)
  for (const status of told) printDocument(status, flags)
  return 0
}

async function ofDocument(config: Config, documentId: string, flags: StatusFlags): Promise<number> {
  const statuses = await documentStatus(documentId, await openStore(config.store))
  for (const status of statuses) printDocument(status, flags)
  if (statuses.length > 0) return 0
  for (const lane of lanes) {
    if (!(await isSubmitted(config, documentId, lane))) continue
    if (flags.json) print(JSON.stringify({ event: 'document', documentId, state: 'submitted', lane }))
    else print(`${shortId(documentId)}  submitted (${lane}), not opened by a worker`)
    return 0
  }
  process.stderr.write('no such document: neither on the topic nor in the store\n')
  return 1
}

/** Whether the topic holds it: reads the records that are kept, which takes a while on a long one. */
async function isSubmitted(config: Config, documentId: string, lane: Lane): Promise<boolean> {
  for await (const { payload } of readTopic(config.kafka, { topic: 'documents', lane, from: 'earliest', until: 'end' })) {
    if (payload !== null && 'documentId' in payload && payload.documentId === documentId) return true
  }
  return false
}

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

function printDocument(status: DocumentStatus, { json }: StatusFlags): void {
  print(json ? documentJson(status) : documentLine(status))
}

function documentJson({ documentId, revision, state, name, counts, end }: DocumentStatus): string {
  return JSON.stringify({ event: 'document', documentId, revision, state, name, counts, failure: end?.failure, outputs: end?.outputs })
}

function documentLine({ documentId, revision, state, name, counts, end }: DocumentStatus): string {
  const parts = [`${shortId(documentId)}/${revision}`, state.padEnd(8), name, counts && pageLine(counts), end?.failure?.code]
  return parts.filter((part) => part !== undefined).join('  ')
}

const pageLine = ({ pages, ...counts }: NonNullable<DocumentStatus['counts']>): string => {
  const parts = Object.entries(counts).filter(([, count]) => count > 0)
  return `${pages} pages: ${parts.map(([what, count]) => `${count} ${what === 'laidOut' ? 'laid out' : what}`).join(', ')}`
}
