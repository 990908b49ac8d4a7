import type { TopicName } from '../../src/schema/topics.ts'
import type { HistoryRecord } from './history.ts'
import type { Outcome } from './outcome.ts'

/** The committed offset of a work topic's partition, as it was seen at a time. */
export interface CommitSample {
  readonly topic: TopicName
  readonly partition: number
  readonly offset: bigint
  readonly atMs: number
}

const shown = (text: string): string => (text.length > 160 ? `${text.slice(0, 160)}…` : text)

/** An event id belongs to one body, whoever made it and however often. */
export function doubleMeanings(records: readonly HistoryRecord[]): string[] {
  const bodies = new Map<string, HistoryRecord>()
  return records.flatMap((record) => {
    const first = bodies.get(record.id)
    if (!first) bodies.set(record.id, record)
    return first && first.body !== record.body
      ? [`two bodies of one event id on ${record.topic}: ${shown(first.body ?? 'null')} and ${shown(record.body ?? 'null')}`]
      : []
  })
}

/** From a little before the first character that is another one. */
function difference(wanted: string, found: string): string {
  let at = 0
  while (at < wanted.length && wanted[at] === found[at]) at++
  const from = (text: string) => text.slice(Math.max(0, at - 40), at + 40)
  return `${from(found)} instead of ${from(wanted)}`
}

/** What readers have equals what they have after a run without faults, byte for byte. */
export function differences(expected: ReadonlyMap<string, Outcome>, found: ReadonlyMap<string, Outcome>): string[] {
  return [...expected].flatMap(([documentId, wanted]) => {
    const name = documentId.slice(0, 8)
    const outcome = found.get(documentId)
    if (!outcome) return [`document ${name} has no final state`]
    const wrong: string[] = []
    if (outcome.end !== wanted.end) wrong.push(`document ${name} ended as ${shown(outcome.end)}, expected ${shown(wanted.end)}`)
    for (const [key, value] of wanted.values) {
      const other = outcome.values.get(key)
      if (other !== value) wrong.push(`document ${name}: ${key} ${other === undefined ? 'is missing' : `differs: ${difference(value, other)}`}`)
    }
    for (const key of outcome.values.keys()) if (!wanted.values.has(key)) wrong.push(`document ${name}: ${key} should not be there`)
    for (const letter of outcome.deadLetters) if (!wanted.deadLetters.has(letter)) wrong.push(`document ${name}: a dead letter says ${letter}`)
    for (const letter of wanted.deadLetters) if (!outcome.deadLetters.has(letter)) wrong.push(`document ${name}: no dead letter says ${letter}`)
    return wrong
  })
}

/** Where the work of a page topic shows when it is done: the next stage's topic, or the page's end. */
const followers: Partial<Record<TopicName, readonly TopicName[]>> = {
  documents: ['pages.rendered', 'pages.recognized'],
  'pages.rendered': ['pages.gated', 'pages.recognized'],
  'pages.gated': ['pages.layout', 'pages.recognized'],
  'pages.layout': ['pages.recognized'],
}

interface Subject {
  readonly documentId: string
  readonly page?: { readonly documentId: string; readonly pageIndex: number }
}

/** The page, or the document where the record is about all of it. */
function subjectOf(body: string): string {
  const { documentId, page } = JSON.parse(body) as Subject
  return page ? `${page.documentId}/${page.pageIndex}` : documentId
}

/** No committed offset passes work whose events are not out: looked at for every commit that was seen. */
export function runAheadCommits(records: readonly HistoryRecord[], samples: readonly CommitSample[]): string[] {
  const firstAt = new Map<string, number>()
  for (const { topic, body, timestampMs } of records) {
    if (body === null || topic === 'dead-letter' || topic === 'chunks' || topic === 'blocks') continue
    const subject = subjectOf(body)
    for (const about of new Set([subject, subject.split('/')[0] ?? subject])) {
      const key = `${topic} ${about}`
      firstAt.set(key, Math.min(firstAt.get(key) ?? Number.POSITIVE_INFINITY, timestampMs))
    }
  }
  return samples.flatMap(({ topic, partition, offset, atMs }) => {
    const next = followers[topic] ?? []
    const passed = records.filter((record) => record.topic === topic && record.partition === partition && record.offset < offset)
    return passed.flatMap((record) => {
      if (record.body === null || next.length === 0) return []
      const subject = subjectOf(record.body)
      const done = Math.min(...next.map((follower) => firstAt.get(`${follower} ${subject}`) ?? Number.POSITIVE_INFINITY))
      return done <= atMs ? [] : [`the commit ${topic}/${partition}@${offset} passed ${record.offset}, whose work was not done`]
    })
  })
}
