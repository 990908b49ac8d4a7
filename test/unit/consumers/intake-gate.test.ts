import { describe, expect, it } from 'vitest'
import { IntakeGate } from '../../../src/consumers/intake-gate.ts'

const gate = (more = {}) => new IntakeGate({ deadLetterRate: 0.5, deadLetterPages: 10, breakerPauseMs: 1000, ...more })

describe('the gate of the intake', () => {
  it('waits after failures in a row, lets one in now and then, and opens with the first success', () => {
    const one = gate()
    for (let i = 0; i < 2; i++) one.struggled(0)
    expect(one.state(0)).toBe('open')
    one.struggled(0)
    expect(one.state(0)).toBe('waiting')
    expect(one.mayTake(0)).toBe(false)
    expect(one.mayTake(one.dueInMs(0) ?? 0)).toBe(true)
    one.took(6000)
    expect(one.mayTake(6001)).toBe(false)
    one.succeeded()
    expect(one.mayTake(6001)).toBe(true)
  })

  it('judges the last pages only, and none before there are so many', () => {
    const one = gate()
    for (let i = 0; i < 9; i++) one.failed(0)
    expect(one.state(0)).toBe('open')
    one.failed(0)
    expect(one.state(0)).toBe('stopped')
    expect(one.dueInMs(400)).toBe(600)
    expect(one.state(1000)).toBe('open')
    for (let i = 0; i < 95; i++) one.succeeded()
    for (let i = 0; i < 5; i++) one.failed(2000)
    expect(one.state(2000)).toBe('open')
    one.failed(2000)
    expect(one.state(2000)).toBe('stopped')
  })

  it('never stops at a rate of 1', () => {
    const one = gate({ deadLetterRate: 1 })
    for (let i = 0; i < 100; i++) one.failed(i)
    expect(one.state(100)).toBe('open')
  })
})
