import { describe, expect, it } from 'vitest'
import { JobQueue } from '../../../../src/runtime/onnx/job-queue.ts'

const job = (name: string, priority: number) => ({ name, priority, costMs: 5 })

describe('the job queue', () => {
  it('gives jobs by priority, then by arrival, and counts their work', () => {
    const queue = new JobQueue<ReturnType<typeof job>>()
    for (const next of [job('a', 2), job('b', 1), job('c', 2), job('d', 1)]) queue.push(next)
    expect([queue.size, queue.costMs]).toEqual([4, 20])
    expect([1, 2, 3, 4].map(() => queue.shift()?.name)).toEqual(['b', 'd', 'a', 'c'])
    expect([queue.shift(), queue.size, queue.costMs]).toEqual([undefined, 0, 0])
  })

  it('lets a waiting job be taken out once', () => {
    const queue = new JobQueue<ReturnType<typeof job>>()
    const a = job('a', 1)
    queue.push(a)
    expect([queue.remove(a), queue.remove(a), queue.size]).toEqual([true, false, 0])
  })
})
