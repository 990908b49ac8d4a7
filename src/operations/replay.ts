import type { KafkaConfig } from '../config/kafka-config.ts'
import { wholeOriginal } from '../consumers/chain/kept-original.ts'
import { doneKey, openedKey, resultKey, unfinishedKey } from '../consumers/chain/keys.ts'
import { placeOf, workTopicOf } from '../consumers/kafka/resender.ts'
import type { ArtifactRef, DeadLetter, OriginalRecord } from '../schema/events.ts'
import { PagestreamError } from '../schema/failure.ts'
import type { PageResult } from '../schema/page.ts'
import type { Artifacts } from '../store/artifacts.ts'
import type { FoundLetter } from './dead-letters.ts'

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
  readonly artifacts: Artifacts
  send(original: OriginalRecord): Promise<void>
}

/** Letters of one run, and bytes of their records: the others are left to the next run. */
const mostLetters = 20_000
const mostBytes = 128 * 1024 ** 2

/** That a letter was replayed: kept in the store, so that every machine knows. `begun` and not `sent`: the run was ended in between. */
interface ReplayMark {
  readonly state: 'begun' | 'sent'
  readonly times: number
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
    for (const found of own) {
      await mark(found, 'begun', parts.artifacts)
      await giveWay(found.letter, parts)
    }
    if (!(await isTaken(original, parts))) {
      for (const found of own) refused.add(found)
      continue
    }
    for (const found of own) await mark(found, 'sent', parts.artifacts)
  }
  return { outcomes: outcomes.map(({ found, became }) => ({ found, became: refused.has(found) ? 'refused' : became })), left }
}

/** False for a record that is refused for itself: the others are sent. */
async function isTaken(original: OriginalRecord, { send }: ReplayParts): Promise<boolean> {
  try {
    await send(original)
    return true
  } catch (error) {
    if (error instanceof PagestreamError && (error.code === 'message-too-large' || error.code === 'kafka-refused')) return false
    throw error
  }
}

export interface ReplayReport {
  readonly outcomes: readonly { readonly found: FoundLetter; readonly became: Replayed }[]
  readonly left: boolean
}

export async function readMark(letterId: string, artifacts: Artifacts): Promise<ReplayMark | undefined> {
  const ref = await artifacts.find(replayKey(letterId), 'lasting')
  return ref && artifacts.get<ReplayMark>(ref)
}

async function mark({ id }: FoundLetter, state: ReplayMark['state'], artifacts: Artifacts): Promise<void> {
  const times = (await readMark(id, artifacts))?.times ?? 0
  await artifacts.put(replayKey(id), { state, times: state === 'sent' ? times + 1 : times } satisfies ReplayMark, 'latest')
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

/**
 * Takes away what says that the page or the document has ended. A record of `documents` opens its document anew, which drops
 * the end and passing results by itself; only a lasting failure must go before.
 */
async function giveWay(letter: DeadLetter, { kafka, artifacts }: ReplayParts): Promise<void> {
  const { documentId, revision, pageIndex, original } = letter
  if (documentId === '') return
  if (pageIndex !== undefined) {
    const key = resultKey(documentId, revision, pageIndex)
    await artifacts.forget(key, 'lasting')
    await artifacts.forget(key, 'passing')
  }
  if (original && workTopicOf(kafka, original) !== 'documents') await artifacts.forget(unfinishedKey(documentId, revision), 'passing')
}
