import { describe, expect, it } from 'vitest'
import { BoundedLog } from '../../../../src/telemetry/log/bounded-log.ts'
import type { LogEntry } from '../../../../src/telemetry/log/log.ts'

const failed = (pageIndex: number, more: Partial<LogEntry> = {}): LogEntry => ({
  ...{ level: 'error', stage: 'layout', lane: 'live', code: 'page-corrupt', text: `page ${pageIndex}`, pageIndex },
  ...more,
})

function bounded() {
  const said: [string, number][] = []
  let nowMs = 0
  const log = new BoundedLog(
    ({ text }, leftOut) => said.push([text, leftOut]),
    () => nowMs,
  )
  const pass = (ms: number) => {
    nowMs += ms
    log.tick()
  }
  return { log, said, pass }
}

describe('BoundedLog', () => {
  it('says the first of a kind at once, and after a second the last with how many were left out', () => {
    const { log, said, pass } = bounded()
    for (let i = 0; i < 5; i++) log.log(failed(i))
    expect(said).toEqual([['page 0', 0]])
    pass(999)
    expect(said).toHaveLength(1)
    pass(1)
    expect(said).toEqual([
      ['page 0', 0],
      ['page 4', 3],
    ])
    log.log(failed(5))
    pass(1000)
    expect(said.at(-1)).toEqual(['page 5', 0])
    pass(1000)
    log.log(failed(6))
    expect(said.at(-1)).toEqual(['page 6', 0])
    log[Symbol.dispose]()
  })

  it('tells kinds apart by code, stage, lane and level, and sentences without a code by what they say', () => {
    const { log, said } = bounded()
    for (const entry of [failed(0), failed(1, { lane: 'bulk' }), failed(2, { stage: 'assemble' }), failed(3, { code: 'internal' }), failed(4)]) log.log(entry)
    for (const text of ['ready', 'draining', 'ready']) log.log({ level: 'info', text })
    expect(said.map(([text]) => text)).toEqual(['page 0', 'page 1', 'page 2', 'page 3', 'ready', 'draining'])
    log[Symbol.dispose]()
    expect(said.slice(6).map(([text]) => text)).toEqual(['page 4', 'ready'])
  })

  it('holds no more than a few kinds, whatever is said', () => {
    const { log, said, pass } = bounded()
    for (let i = 0; i < 1000; i++) log.log({ level: 'info', text: `loading ${i}` })
    expect(said.length).toBeLessThan(70)
    pass(1000)
    expect(said.at(-1)).toEqual(['loading 999', expect.any(Number)])
    expect(said.reduce((sum, [, leftOut]) => sum + 1 + leftOut, 0)).toBe(1000)
    log[Symbol.dispose]()
  })
})
