import type { KafkaConfig } from '../config/kafka-config.ts'
import { wholeOriginal } from '../consumers/chain/kept-original.ts'
import { doneKey, openedKey, resultKey, unfinishedKey } from '../consumers/chain/keys.ts'
import { placeOf, workTopicOf } from '../consumers/kafka/resender.ts'
import type { ArtifactRef, DeadLetter, OriginalRecord } from '../schema/events.ts'
import { type FailureCode, PagestreamError } from '../schema/failure.ts'
import type { PageResult } from '../schema/page.ts'
import type { Artifacts, SharedArtifacts } from '../store/artifacts.ts'
import type { FoundLetter } from './dead-letters.ts'
import { type EndedValue, endedValues, putBack, takeAway } from './ended-values.ts'

/** What became of a letter that was to be replayed. */
export type Replayed =
  /** Its record was sent to the topic of the stage that failed; `dry`: it would be. */
  | 'sent'
  | 'dry'
  /** It was replayed before. */
  | 'already'
  /** Its document, or its page, has been read since. */
  | 'complete'
  /** Its document has pages on their way: what they wait for must not be taken from under them. */
  | 'under-way'
  /** The values that its record refers to are no longer in the store. */
  | 'expired'
  /** The broker takes no such record: it is too large, or not allowed there. It may be replayed again when that was changed. */
  | 'refused'
  /** It holds no record, or one that did not come from a topic of the chain. */
  | 'no-record'

export interface ReplayOptions {
  readonly again: boolean
  readonly dryRun: boolean
}

export interface ReplayParts {
  readonly kafka: KafkaConfig
  readonly artifacts: SharedArtifacts
  send(original: OriginalRecord): Promise<void>
}

/** Letters of one run, and bytes of their records: the others are left to the next run. */
const mostLetters = 20_000
const mostBytes = 128 * 1024 ** 2

/** That a letter was replayed: kept in the store, so that every machine knows. `begun` and not `sent`: the run was ended in between. */
interface ReplayMark {
  readonly state: 'begun' | 'sent'
  readonly times: number
  /** What a run that has begun has taken away. */
  readonly taken?: readonly EndedValue[]
}

export const replayKey = (letterId: string): string => `replayed/${letterId}`

/**
 * Sends the records of dead letters again, after taking away what a failure has left behind: the failed result of the page and
 * the end of its document. A record that several letters share is sent once. Answers what became of each letter, in their order,
 * and whether letters are left.
 */
export async function replay(letters: AsyncIterable<FoundLetter>, options: ReplayOptions, parts: ReplayParts): Promise<ReplayReport> {
  const outcomes: { found: FoundLetter; became: Replayed }[] = []
  const refused = new Set<FoundLetter>()
  const ready = new Map<string, { original: OriginalRecord; letters: FoundLetter[] }>()
  let bytes = 0
  let left = false
  for await (const found of letters) {
    if (outcomes.length >= mostLetters || bytes > mostBytes) {
      left = true
      break
    }
    const original = await originalOf(found.letter, parts.artifacts)
    const became = original ? await judge(found, original, options, parts) : found.letter.original ? 'expired' : 'no-record'
    outcomes.push({ found, became })
    if (became !== 'sent' || !original) continue
    const place = placeOf(original)
    const known = ready.get(place)
    if (known) known.letters.push(found)
    else {
      ready.set(place, { original, letters: [found] })
      bytes += original.value?.length ?? 0
    }
  }
  for (const { original, letters: own } of ready.values()) {
    if (await isSent(original, own, parts)) continue
    for (const found of own) refused.add(found)
  }
  return { outcomes: outcomes.map(({ found, became }) => ({ found, became: refused.has(found) ? 'refused' : became })), left }
}

/** False for a record that is refused for itself: the others are sent. What its letters say has ended then has ended as before. */
async function isSent(original: OriginalRecord, letters: readonly FoundLetter[], parts: ReplayParts): Promise<boolean> {
  for (const found of letters) await begin(found, parts)
  try {
    await parts.send(original)
  } catch (error) {
    // Of any other failure one cannot tell whether the record is on its topic.
    if (error instanceof PagestreamError && error.class === 'input') for (const found of letters) await undo(found, parts)
    if (error instanceof PagestreamError && ofTheRecord.has(error.code)) return false
    throw error
  }
  for (const { id } of letters) await mark(id, { state: 'sent', times: (await timesOf(id, parts)) + 1 }, parts)
  return true
}

const ofTheRecord: ReadonlySet<FailureCode> = new Set(['message-too-large', 'message-refused'])

async function begin({ id, letter }: FoundLetter, parts: ReplayParts): Promise<void> {
  const before = await readMark(id, parts.artifacts)
  const found = await endedValues(letter, parts.kafka, parts.artifacts)
  const earlier = (before?.taken ?? []).filter(({ key }) => found.every((value) => value.key !== key))
  await mark(id, { state: 'begun', times: before?.times ?? 0, taken: [...found, ...earlier] }, parts)
  await takeAway(found, parts.artifacts)
}

async function undo({ id }: FoundLetter, parts: ReplayParts): Promise<void> {
  const { taken = [], times = 0 } = (await readMark(id, parts.artifacts)) ?? {}
  await putBack(taken, parts.artifacts)
  if (times > 0) await mark(id, { state: 'sent', times }, parts)
  else await parts.artifacts.forget(replayKey(id), 'lasting')
}

export interface ReplayReport {
  readonly outcomes: readonly { readonly found: FoundLetter; readonly became: Replayed }[]
  readonly left: boolean
}

export async function readMark(letterId: string, artifacts: Artifacts): Promise<ReplayMark | undefined> {
  const ref = await artifacts.find(replayKey(letterId), 'lasting')
  return ref && artifacts.get<ReplayMark>(ref)
}

const timesOf = async (letterId: string, { artifacts }: ReplayParts): Promise<number> => (await readMark(letterId, artifacts))?.times ?? 0

async function mark(letterId: string, value: ReplayMark, { artifacts }: ReplayParts): Promise<void> {
  await artifacts.put(replayKey(letterId), value, 'latest')
}

/** Undefined for a letter without one, and for one whose bytes have left the store. */
async function originalOf({ original }: DeadLetter, artifacts: Artifacts): Promise<OriginalRecord | undefined> {
  try {
    return original && (await wholeOriginal(original, artifacts))
  } catch (error) {
    if (error instanceof PagestreamError && !isMissing(error)) throw error
    return undefined
  }
}

const isMissing = (error: unknown): boolean => error instanceof PagestreamError && error.code === 'artifact-missing'

async function judge({ id, letter }: FoundLetter, original: OriginalRecord, options: ReplayOptions, parts: ReplayParts): Promise<Replayed> {
  const { artifacts, kafka } = parts
  if (!workTopicOf(kafka, original)) return 'no-record'
  const before = await readMark(id, artifacts)
  if (before?.state === 'sent' && !options.again) return 'already'
  const { documentId, revision } = letter
  if (documentId !== '') {
    if (await artifacts.find(doneKey(documentId, revision), 'lasting')) return 'complete'
    if (letter.pageIndex !== undefined && (await hasGoodResult(letter, artifacts))) return 'complete'
    if (before?.state !== 'begun' && (await isUnderWay(letter, artifacts))) return 'under-way'
    if (!(await hasClaims(original, artifacts))) return 'expired'
  }
  return options.dryRun ? 'dry' : 'sent'
}

async function failedResults({ documentId, revision, pageIndex }: DeadLetter, artifacts: Artifacts): Promise<PageResult | undefined> {
  if (pageIndex === undefined) return undefined
  const ref = await artifacts.find(resultKey(documentId, revision, pageIndex), 'either')
  return ref && artifacts.get<PageResult>(ref)
}

const hasGoodResult = async (letter: DeadLetter, artifacts: Artifacts): Promise<boolean> => (await failedResults(letter, artifacts))?.status === 'ok'

/** Opened and not at its end. */
async function isUnderWay({ documentId, revision }: DeadLetter, artifacts: Artifacts): Promise<boolean> {
  if (await artifacts.find(unfinishedKey(documentId, revision), 'either')) return false
  return (await artifacts.find(openedKey(documentId, revision), 'either')) !== undefined
}

/** Whether what the record refers to is still in the store; a record of `documents` brings all that it needs. */
async function hasClaims({ value }: OriginalRecord, artifacts: Artifacts): Promise<boolean> {
  try {
    for (const ref of claimsIn(value)) await artifacts.get(ref)
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error // a store that does not answer says nothing of what it holds
  }
}

function claimsIn(value: string | null): ArtifactRef[] {
  let payload: unknown
  try {
    payload = JSON.parse(Buffer.from(value ?? '', 'base64').toString('utf8'))
  } catch {
    return []
  }
  if (typeof payload !== 'object' || payload === null) return []
  return Object.values(payload).flatMap((part) =>
    typeof part === 'object' && part !== null && 'key' in part && typeof part.key === 'string' ? [{ key: part.key }] : [],
  )
}
