import { describe, expect, it } from 'vitest'
import { MemoryBus } from '../../../src/consumers/memory-bus.ts'
import { checkPayload } from '../../../src/schema/check-payload.ts'
import { busContract, eventually, letter, Recorder } from '../../support/bus-contract.ts'

busContract('the in-memory bus', async () => new MemoryBus({ check: checkPayload }))

describe('the in-memory bus', () => {
  it('makes a publisher wait while the slowest group is too far behind', async () => {
    const bus = new MemoryBus({ bufferedRecords: 4 })
    const reader = new Recorder()
    const subscription = await reader.join(bus, 'slow')
    let published = 0
    const publishing = (async () => {
      for (let i = 0; i < 10; i++) {
        await bus.publish([letter(`${i}`, 'k')])
        published++
      }
    })()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(published).toBe(4)
    const { topic, partition } = reader.records[0]?.record ?? { topic: 'dead-letter' as const, partition: 0 }
    await subscription.commit(reader.epoch, [{ topic, partition, offset: 4n }])
    await eventually(() => expect(published).toBe(8))
    await subscription.commit(reader.epoch, [{ topic, partition, offset: 8n }])
    await publishing
    await bus.close()
  })

  it('lets go of publishers that wait when it is closed', async () => {
    const bus = new MemoryBus({ bufferedRecords: 1 })
    await new Recorder().join(bus, 'slow')
    await bus.publish([letter('0')])
    const waiting = bus.publish([letter('1')])
    await bus.close()
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('keeps nothing of a topic that nobody reads', async () => {
    const bus = new MemoryBus()
    await bus.publish([letter('0')])
    expect(bus.wanted('dead-letter')).toBe(false)
    expect(bus.backlog('dead-letter')).toBe(0)
    await bus.close()
  })
})
