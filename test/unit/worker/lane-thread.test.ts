import { describe, expect, it, vi } from 'vitest'
import { configSchema } from '../../../src/config/config.ts'
import type { StageName } from '../../../src/schema/stage.ts'
import { LaneThread } from '../../../src/worker/lane-thread.ts'

const script = new URL('../../support/fake-lane.mjs', import.meta.url)

/** A thread that behaves as the fake does for this stage, and what is heard of it. */
function laneThread(stage: StageName) {
  const heard: string[] = []
  let fail: (error: Error) => void = () => {}
  const failed = new Promise<Error>((resolve) => {
    fail = resolve
  })
  const config = configSchema.parse({ worker: { bulkNice: 7 } })
  const lane = new LaneThread({ config, stages: new Set([stage]), lane: 'bulk' }, { fatal: fail, log: ({ text }) => heard.push(text) }, script)
  return { lane, heard, failed }
}

describe('LaneThread', () => {
  it('starts, tells states and notices, drains and ends', async () => {
    const { lane, heard } = laneThread('page-render')
    await lane.start()
    expect(lane.view).toMatchObject({ lane: 'bulk', stages: [{ stage: 'page-render', state: 'open' }] })
    await lane.drain()
    expect(lane.view).toMatchObject({ lane: 'bulk', stages: [{ stage: 'page-render', state: 'waiting' }] })
    await lane[Symbol.asyncDispose]()
    expect(heard).toEqual(['drain', 'end'])
  })

  it('says that a thread which no longer tells how it stands is stalled', async () => {
    const { lane } = laneThread('page-render')
    await lane.start()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    expect(lane.view.stages[0]?.stalledMs).toBeGreaterThanOrEqual(60_000)
    vi.useRealTimers()
    await lane[Symbol.asyncDispose]()
  })

  it('rejects with the code of what did not start, and ends', async () => {
    const { lane } = laneThread('text-finder')
    await expect(lane.start()).rejects.toMatchObject({ code: 'kafka-refused', message: 'wrong password' })
    await lane[Symbol.asyncDispose]()
  })

  it('passes on that the lane cannot go on; the thread knows how far it gives way', async () => {
    const { lane, failed } = laneThread('layout')
    await lane.start()
    expect(await failed).toMatchObject({ code: 'worker-stalled', message: 'nice 7' })
    await lane[Symbol.asyncDispose]()
  })

  it('is fatal when the thread ends by itself', async () => {
    const { lane, failed } = laneThread('region-recognition')
    await lane.start()
    expect(await failed).toMatchObject({ code: 'internal', message: expect.stringMatching(/^the thread of the bulk lane ended: ./) })
    await lane.drain()
    await lane[Symbol.asyncDispose]()
  })

  it('is given up while it starts', async () => {
    const { lane } = laneThread('assemble')
    const started = lane.start()
    await lane[Symbol.asyncDispose]()
    await expect(started).rejects.toMatchObject({ code: 'internal' })
  })
})
