import type { Config } from '../config/config.ts'
import { loadConfig } from '../config/load-config.ts'
import { wholeOriginal } from '../consumers/chain/kept-original.ts'
import { Resender } from '../consumers/kafka/resender.ts'
import { type FoundLetter, findLetters, type LetterFilter } from '../operations/dead-letters.ts'
import { type Replayed, readMark, replay } from '../operations/replay.ts'
import { openStore } from '../store/open-store.ts'
import { StoreArtifacts } from '../store/store-artifacts.ts'
import { askedDocument } from './asked-document.ts'
import type { DlqFlags } from './dlq-command.ts'
import { print } from './print.ts'
import { shortId } from './terminal-text.ts'
import { usageError } from './usage-error.ts'

/** Runs `pagestream dlq`; answers with the exit code. */
export async function runDlq(what: 'list' | 'show' | 'replay', ids: string[], flags: DlqFlags): Promise<number> {
  const config = loadConfig({ file: flags.config })
  const filtered = ids.length > 0 || [flags.class, flags.stage, flags.since, flags.document].some((given) => given !== undefined)
  if (what === 'replay' && !filtered && !flags.all) return usageError('dlq replay: name letters, a filter, or --all')
  if (what === 'show' && !filtered) return usageError('dlq show: name letters, or --document')
  const store = await openStore(config.store)
  const documentId = flags.document === undefined ? undefined : await askedDocument(flags.document, config, store)
  if (flags.document !== undefined && documentId === undefined) return 1
  const artifacts = new StoreArtifacts(store)
  const filter: LetterFilter = {
    ...(ids.length > 0 && { ids }),
    ...(flags.class && { class: flags.class }),
    ...(flags.stage && { stage: flags.stage }),
    ...(flags.since !== undefined && { since: flags.since }),
    ...(documentId !== undefined && { documentId }),
  }
  return what === 'replay' ? replayLetters(config, artifacts, filter, flags) : printLetters(what, config, artifacts, filter, flags)
}

async function printLetters(what: 'list' | 'show', config: Config, artifacts: StoreArtifacts, filter: LetterFilter, flags: DlqFlags): Promise<number> {
  let count = 0
  for await (const found of findLetters(config.kafka, filter)) {
    count++
    const times = (await readMark(found.id, artifacts))?.times ?? 0
    if (what === 'show') print(JSON.stringify(await wholeOf(found, times, artifacts), undefined, flags.json ? undefined : 2))
    else print(flags.json ? JSON.stringify(entryOf(found, times)) : lineOf(found, times > 0 ? 'replayed' : ''))
  }
  if (count > 0 || flags.json) return what === 'show' && count === 0 ? 1 : 0
  process.stderr.write('no such dead letter\n')
  return what === 'show' ? 1 : 0
}

async function replayLetters(config: Config, artifacts: StoreArtifacts, filter: LetterFilter, flags: DlqFlags): Promise<number> {
  await using resender = await Resender.connect(config.kafka)
  const parts = { kafka: config.kafka, artifacts, send: resender.send.bind(resender) }
  const { outcomes, left } = await replay(findLetters(config.kafka, filter), { again: flags.again === true, dryRun: flags.dryRun === true }, parts)
  for (const { found, became } of outcomes) {
    if (flags.json) print(JSON.stringify({ ...entryOf(found, undefined), became }))
    else print(lineOf(found, said[became]))
  }
  if (outcomes.length === 0) process.stderr.write('no such dead letter\n')
  if (left) process.stderr.write('there are more: run it again when these documents have ended\n')
  return outcomes.some(({ became }) => notSent.has(became)) || outcomes.length === 0 ? 1 : 0
}

const notSent: ReadonlySet<Replayed> = new Set(['under-way', 'expired', 'refused', 'no-record'])
const said: Readonly<Record<Replayed, string>> = {
  sent: 'sent',
  dry: 'would be sent',
  already: 'already replayed; --again sends it once more',
  complete: 'has been read since',
  'under-way': 'its document is under way: replay it when that has ended',
  expired: 'what its record refers to is no longer in the store: submit the document again',
  refused: 'the broker does not take its record: it is too large for the topic, or breaks its rules',
  'no-record': 'holds no record of a topic of the chain',
}

function lineOf({ id, atMs, letter }: FoundLetter, note: string): string {
  const page = letter.pageIndex === undefined ? '' : ` p. ${letter.pageIndex + 1}`
  const about = `${shortId(letter.documentId) || '-'}${page}`
  return `${id.slice(0, 12)}  ${new Date(atMs).toISOString()}  ${letter.stage}  ${letter.failure.class}  ${letter.failure.code}  ${about}${note && `  ${note}`}`
}

function entryOf({ id, atMs, letter }: FoundLetter, times: number | undefined): Record<string, unknown> {
  const { stage, topic, documentId, revision, pageIndex, failure } = letter
  const replayed = times === undefined ? {} : { replayed: times }
  return { id, at: new Date(atMs).toISOString(), stage, topic, documentId, revision, ...(pageIndex !== undefined && { pageIndex }), failure, ...replayed }
}

async function wholeOf(found: FoundLetter, times: number, artifacts: StoreArtifacts): Promise<Record<string, unknown>> {
  const { record, original } = found.letter
  // Bytes that have left the store: the letter still says where they were.
  const whole = original && (await wholeOriginal(original, artifacts).catch(() => original))
  return { ...entryOf(found, times), record, original: whole }
}
