import { expect, it } from 'vitest'
import type { Bus, Epoch, PartitionOffset, SubscribeHandlers, TopicPartition } from '../../../src/consumers/bus.ts'
import { Intake } from '../../../src/consumers/intake.ts'
import { letter } from '../../support/bus-contract.ts'

const place = (partition: number): TopicPartition => ({ topic: 'dead-letter', partition })

/** A bus whose assignments and records the test hands out itself. */
class HandBus {
  on: SubscribeHandlers | undefined
  readonly paused = new Set<number>()
  readonly commits: { epoch: Epoch; offsets: readonly PartitionOffset[] }[] = []
  answer: 'committed' | 'fenced' = 'committed'

  readonly bus: Bus = {
    publish: async () => {},
    wanted: () => true,
    close: async () => {},
    subscribe: async (_options, on) => {
      this.on = on
      return {
        pause: (places) => places.forEach(({ partition }) => void this.paused.add(partition)),
        resume: (places) => places.forEach(({ partition }) => void this.paused.delete(partition)),
        commit: async (epoch, offsets) => {
          this.commits.push({ epoch, offsets })
          return this.answer
        },
        close: async () => {},
      }
    },
  }

  assign(epoch: Epoch, ...partitions: number[]): void {
    this.on?.assigned(epoch, partitions.map(place))
  }

  send(epoch: Epoch, partition: number, ...offsets: number[]): void {
    const record = letter('x')
    this.on?.records({
      epoch,
      records: offsets.map((offset) => ({
        ...place(partition),
        offset: BigInt(offset),
        key: '',
        payload: record.payload,
        bytes: 1,
        writtenMs: 1000 + Number(offset),
      })),
    })
  }
}

async function started(highMark = 100, highMarkBytes = Number.POSITIVE_INFINITY) {
  const hand = new HandBus()
  const on = { ready: () => {}, fatal: () => {}, staleCommit: () => {}, committed: () => {} }
  const intake = new Intake(hand.bus, { topic: 'dead-letter', group: 'g', highMark, highMarkBytes }, on)
  await intake.start()
  return { hand, intake }
}

const soon = () => new Promise((resolve) => setImmediate(resolve))

it('reads on when a rebalance takes away the partition that filled its buffer', async () => {
  const { hand } = await started(4)
  hand.assign(1, 0, 1)
  hand.send(1, 0, 0, 1, 2, 3)
  expect([...hand.paused]).toEqual([0, 1])
  hand.assign(2, 1)
  expect(hand.paused.has(1)).toBe(false)
})

it('counts the bytes of records in hand until they are finished', async () => {
  const { hand, intake } = await started(100, 4)
  hand.assign(1, 0)
  hand.send(1, 0, 0, 1, 2, 3)
  const taken = [intake.next(), intake.next(), intake.next(), intake.next()].filter((record) => record !== undefined)
  expect(taken).toHaveLength(4)
  expect(hand.paused.has(0)).toBe(true)
  for (const record of taken.slice(0, 2)) intake.finish(record)
  expect(hand.paused.has(0)).toBe(false)
})

it('commits a mark again whose commit was lost with its epoch', async () => {
  const { hand, intake } = await started()
  hand.assign(1, 0)
  hand.send(1, 0, 0, 1)
  hand.answer = 'fenced'
  for (let record = intake.next(); record; record = intake.next()) intake.finish(record)
  await soon()
  hand.answer = 'committed'
  hand.assign(2, 0)
  hand.send(2, 0, 0, 1) // the group's offset is still 0, so they come again; nobody works on them again
  await soon()
  expect(intake.next()).toBeUndefined()
  expect(hand.commits.at(-1)).toEqual({ epoch: 2, offsets: [{ ...place(0), offset: 2n }] })
})

it('commits nothing again that is still in hand', async () => {
  const { hand, intake } = await started()
  hand.assign(1, 0)
  hand.send(1, 0, 0, 1)
  intake.next()
  hand.assign(2, 0)
  hand.send(2, 0, 0, 1)
  await soon()
  expect(hand.commits).toEqual([])
})

it('tells its partitions in the order of their numbers', async () => {
  const { hand, intake } = await started()
  hand.assign(1, 10, 2, 9, 0)
  expect(intake.partitions).toEqual([0, 2, 9, 10])
})
