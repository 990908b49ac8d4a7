import { describe, expect, it } from 'vitest'
import { BackfillRecord } from '../../../src/backfill/backfill-record.ts'
import { RunLedger } from '../../../src/backfill/run-ledger.ts'
import type { BackfillCheckpoint, RunEnd } from '../../../src/schema/backfill.ts'
import { MemoryBlobStore } from '../../../src/store/memory-blob-store.ts'

const complete: RunEnd = { status: 'complete', pages: 2, failedPages: 0 }
const failed: RunEnd = { status: 'failed', pages: 0, failedPages: 0, failure: 'input' }
const empty = (): Promise<BackfillCheckpoint> => new BackfillRecord(new MemoryBlobStore(), 'run').checkpoint()

const send = (ledger: RunLedger, key: string) => {
  ledger.sending(key)
  ledger.note(key, { sent: key })
}

describe('the ledger of a run', () => {
  it('counts the end of a document once, however often it is told', async () => {
    const ledger = new RunLedger(await empty(), 0)
    send(ledger, 'a/1')
    for (let i = 0; i < 3; i++) ledger.heard('a/1', complete)
    ledger.heard('never-sent/1', complete)
    expect(ledger.counts).toMatchObject({ sent: 1, pages: 2, ended: { complete: 1, partial: 0, failed: 0 } })
    expect(ledger.inFlight).toBe(0)
  })

  it('keeps an end that is told before the sending is noted', async () => {
    const ledger = new RunLedger(await empty(), 0)
    ledger.sending('a/1')
    ledger.heard('a/1', failed)
    expect(ledger.counts.ended.failed).toBe(0)
    const again = new RunLedger(ledger.snapshot(), 10)
    expect(again.hasEndedEarly('a/1')).toBe(true)
    for (const one of [ledger, again]) {
      one.note('1', { sent: 'a/1' })
      expect(one.counts).toMatchObject({ entries: 1, sent: 1, failures: { input: 1 }, ended: { failed: 1 } })
      expect(one.inFlight).toBe(0)
    }
  })

  it('counts what was sent behind the last checkpoint of a killed process as sent, whether its end comes before its entry or behind', async () => {
    const ledger = new RunLedger(await empty(), 10)
    ledger.heard('before/1', complete) // heard when it caught up
    expect(ledger.hasEndedEarly('before/1')).toBe(true)
    ledger.note('1', { sent: 'before/1' })
    ledger.note('2', { passedOver: 'behind/1' }) // complete in the store, its event still on the way
    expect(ledger.counts.passedOver).toBe(1)
    ledger.heard('behind/1', complete)
    expect(ledger.counts).toMatchObject({ entries: 2, sent: 2, passedOver: 0, ended: { complete: 2 } })
  })

  it('holds no more than the interval of checkpoints and what is in flight', async () => {
    const ledger = new RunLedger(await empty(), 5)
    for (let i = 0; i < 100; i++) ledger.heard(`strange-${i}/1`, complete)
    expect(ledger.snapshot().early.length).toBeLessThanOrEqual(10)
    for (let i = 0; i < 100; i++) ledger.note(`${i}`, { passedOver: `done-${i}/1` })
    expect(ledger.snapshot()).toMatchObject({ early: [], open: [], passedOver: 100 })
    ledger.heard('done-50/1', complete)
    expect(ledger.counts.passedOver).toBe(100)
  })

  it('adds up after kills at any moment', async () => {
    for (let seed = 1; seed <= 200; seed++) {
      const end = await livesOf(seed)
      expect(end).toMatchObject({ entries: 40, sent: 40, open: [], ended: { complete: 30, partial: 0, failed: 10 } })
    }
  })
})

const endOf = (i: number): RunEnd => (i % 4 === 0 ? failed : complete)

/** Four processes, one after the other, on an archive of forty; those killed leave their last checkpoint and what the topic holds. */
async function livesOf(seed: number): Promise<BackfillCheckpoint> {
  const random = drawn(seed)
  const told = new Set<number>()
  let checkpoint = await empty()
  for (const last of [false, false, false, true]) {
    const ledger = new RunLedger(checkpoint, 10)
    const tell = (i: number, chance: number) => {
      if (random() >= chance) return
      told.add(i)
      ledger.heard(`${i}/1`, endOf(i))
    }
    for (const i of told) ledger.heard(`${i}/1`, endOf(i))
    const until = last ? 40 : Math.min(40, checkpoint.entries + Math.floor(random() * 11))
    for (let i = checkpoint.entries; i < until; i++) {
      if (!ledger.hasEndedEarly(`${i}/1`)) ledger.sending(`${i}/1`)
      tell(i, 0.3)
      ledger.note(`${i + 1}`, { sent: `${i}/1` })
      tell(i, 0.5)
    }
    if (last) for (const key of ledger.openKeys()) ledger.heard(key, endOf(Number(key.split('/')[0])))
    if (last || random() < 0.5) checkpoint = ledger.snapshot()
  }
  return checkpoint
}

function drawn(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 16807) % 2147483647
    return state / 2147483647
  }
}
