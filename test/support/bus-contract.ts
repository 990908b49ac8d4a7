import { afterEach, describe, expect, it } from 'vitest'
import type { Bus, Epoch, InRecord, OutRecord, Subscription, TopicPartition } from '../../src/consumers/bus.ts'

/** A subscriber that remembers what it was told. */
export class Recorder {
  readonly records: { epoch: Epoch; record: InRecord }[] = []
  readonly assignments: { epoch: Epoch; partitions: readonly TopicPartition[] }[] = []
  readonly revocations: { epoch: Epoch; partitions: readonly TopicPartition[] }[] = []
  subscription: Subscription | undefined

  async join(bus: Bus, group: string): Promise<Subscription> {
    this.subscription = await bus.subscribe(
      { group, topics: ['dead-letter'] },
      {
        records: ({ epoch, records }) => this.records.push(...records.map((record) => ({ epoch, record }))),
        assigned: (epoch, partitions) => this.assignments.push({ epoch, partitions }),
        revoked: (epoch, partitions) => this.revocations.push({ epoch, partitions }),
        fatal: (error) => {
          throw error
        },
      },
    )
    return this.subscription
  }

  get documentIds(): string[] {
    return this.records.map(({ record }) => (record.payload as { documentId: string }).documentId)
  }

  get epoch(): Epoch {
    return this.assignments.at(-1)?.epoch ?? -1
  }
}

/** A small, valid record; `id` tells it apart. */
export const letter = (id: string, key = id): OutRecord<'dead-letter'> => ({
  topic: 'dead-letter',
  key,
  payload: {
    stage: 'layout',
    topic: 'pages.gated',
    documentId: id,
    revision: 'r',
    failure: { class: 'input', code: 'page-corrupt', message: 'm' },
    record: {},
  },
})

export async function eventually(check: () => void, timeoutMs = 20_000): Promise<void> {
  const end = Date.now() + timeoutMs
  for (;;) {
    try {
      return check()
    } catch (error) {
      if (Date.now() > end) throw error
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
}

/** What every bus promises. `group` must be new for each test. */
export function busContract(name: string, open: () => Promise<Bus>): void {
  describe(`${name} keeps the contract of a bus`, () => {
    let bus: Bus
    let groups = 0
    const group = () => `contract-${++groups}`
    afterEach(async () => bus.close())

    it('delivers records of one key in the order of their publication', async () => {
      bus = await open()
      const reader = new Recorder()
      await reader.join(bus, group())
      for (let i = 0; i < 50; i++) await bus.publish([letter(`${i}`, 'one key')])
      await eventually(() => expect(reader.documentIds).toEqual(Array.from({ length: 50 }, (_, i) => `${i}`)))
    })

    it('puts the same key into the same partition and spreads different keys', async () => {
      bus = await open()
      const reader = new Recorder()
      await reader.join(bus, group())
      for (let i = 0; i < 60; i++) await bus.publish([letter(`${i}`, `key ${i % 12}`)])
      await eventually(() => expect(reader.records).toHaveLength(60))
      const partitions = new Map<string, Set<number>>()
      for (const { record } of reader.records) partitions.set(record.key, (partitions.get(record.key) ?? new Set()).add(record.partition))
      expect([...partitions.values()].every((used) => used.size === 1)).toBe(true)
      expect(new Set(reader.records.map(({ record }) => record.partition)).size).toBeGreaterThan(1)
    })

    it('gives every group every record and shares them within a group', async () => {
      bus = await open()
      const [shared, other] = [group(), group()]
      const [a, b, c] = [new Recorder(), new Recorder(), new Recorder()]
      await a.join(bus, shared)
      await b.join(bus, shared)
      await c.join(bus, other)
      // A record that comes before the second member has joined is read by both: nobody has committed it.
      const shares = () => [a, b].map((member) => member.assignments.at(-1)?.partitions.length ?? 0)
      await eventually(() => {
        expect(Math.min(...shares())).toBeGreaterThan(0)
        expect(shares().reduce((sum, share) => sum + share, 0)).toBe(c.assignments.at(-1)?.partitions.length)
      }, 20_000)
      for (let i = 0; i < 40; i++) await bus.publish([letter(`${i}`)])
      // At least once: whatever rebalances the group in between brings a record again.
      const all = Array.from({ length: 40 }, (_, i) => `${i}`).sort()
      await eventually(() => expect([...new Set(c.documentIds)].sort()).toEqual(all))
      await eventually(() => expect([...new Set([...a.documentIds, ...b.documentIds])].sort()).toEqual(all))
      expect(a.records.length).toBeGreaterThan(0)
      expect(b.records.length).toBeGreaterThan(0)
    })

    it('delivers again what was not committed when a member leaves without committing', async () => {
      bus = await open()
      const name = group()
      const crashed = new Recorder()
      const subscription = await crashed.join(bus, name)
      for (let i = 0; i < 10; i++) await bus.publish([letter(`${i}`, 'k')])
      await eventually(() => expect(crashed.records).toHaveLength(10))
      const [first] = crashed.records
      if (!first) throw new Error('no record')
      const { topic, partition, offset } = first.record
      expect(await subscription.commit(crashed.epoch, [{ topic, partition, offset: offset + 4n }])).toBe('committed')
      await subscription.close()
      const next = new Recorder()
      await next.join(bus, name)
      await eventually(() => expect(next.documentIds).toEqual(['4', '5', '6', '7', '8', '9']))
    })

    it('never moves an offset back: what another member has finished meanwhile stays committed', async () => {
      bus = await open()
      const [id, topic] = [group(), 'dead-letter' as const]
      const other = new Recorder()
      const first = await other.join(bus, id)
      for (let i = 0; i < 5; i++) await bus.publish([letter(`${i}`, 'one key')])
      await eventually(() => expect(other.documentIds).toHaveLength(5))
      const [begin] = other.records.map(({ record }) => record)
      if (!begin) throw new Error('no record')
      const upTo = (count: bigint) => [{ topic, partition: begin.partition, offset: begin.offset + count }]
      expect(await first.commit(other.epoch, upTo(5n))).toBe('committed')
      expect(await first.commit(other.epoch, upTo(3n))).toBe('committed')
      await first.close()
      const slow = new Recorder()
      const second = await slow.join(bus, id)
      await eventually(() => expect(slow.assignments.at(-1)?.partitions.length).toBeGreaterThan(0))
      expect(await second.commit(slow.epoch, upTo(2n))).toBe('committed')
      await second.close()
      const next = new Recorder()
      await next.join(bus, id)
      await bus.publish([letter('new', 'one key')])
      await eventually(() => expect(next.documentIds).toContain('new'))
      expect(next.documentIds).toEqual(['new'])
    })

    it('fences a commit of an earlier assignment and leaves the offset where it was', async () => {
      bus = await open()
      const name = group()
      const a = new Recorder()
      const subscription = await a.join(bus, name)
      for (let i = 0; i < 5; i++) await bus.publish([letter(`${i}`, 'k')])
      await eventually(() => expect(a.records).toHaveLength(5))
      const stale = a.epoch
      const b = new Recorder()
      await b.join(bus, name)
      await eventually(() => expect(a.epoch).not.toBe(stale))
      const { topic, partition } = a.records[0]?.record ?? { topic: 'dead-letter' as const, partition: 0 }
      expect(await subscription.commit(stale, [{ topic, partition, offset: 5n }])).toBe('fenced')
      await eventually(() => expect([...a.records.slice(5), ...b.records].length).toBeGreaterThanOrEqual(5))
      // Each subscription numbers its own assignments.
      expect(a.records.slice(5).every(({ epoch }) => epoch !== stale)).toBe(true)
    })

    it('delivers nothing from a paused partition until it is resumed', async () => {
      bus = await open()
      const reader = new Recorder()
      const subscription = await reader.join(bus, group())
      await eventually(() => expect(reader.assignments.length).toBeGreaterThan(0))
      const all = reader.assignments.at(-1)?.partitions ?? []
      subscription.pause(all)
      for (let i = 0; i < 8; i++) await bus.publish([letter(`${i}`)])
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect(reader.records).toHaveLength(0)
      subscription.resume(all)
      await eventually(() => expect(reader.records).toHaveLength(8))
    })

    it('refuses a payload that breaks the schema of its topic', async () => {
      bus = await open()
      const reader = new Recorder()
      await reader.join(bus, group())
      const broken = { ...letter('x'), payload: { nonsense: true } } as unknown as OutRecord
      await expect(bus.publish([broken])).rejects.toMatchObject({ code: 'internal' })
      expect(reader.records).toHaveLength(0)
    })
  })
}
