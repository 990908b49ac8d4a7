import { describe, expect, it } from 'vitest'
import { ReplicaSet } from '../../../../../../src/runtime/vlm/engines/http/replica-set.ts'
import { PagestreamError } from '../../../../../../src/schema/failure.ts'
import { askOf } from '../../../../../support/vlm/asks.ts'
import { ScriptedEngine } from '../../../../../support/vlm/scripted-engine.ts'

const unreachable = () => new PagestreamError('engine-unreachable', 'asking: away')

/** Time that stands still until it is moved. */
function timeOf() {
  const clock = { ms: 0 }
  return { clock, options: { now: () => clock.ms, random: () => 1 } }
}

const ask = askOf('x')

describe('ReplicaSet', () => {
  it('has the slots of all that are there, and the model of the first', async () => {
    const set = new ReplicaSet([new ScriptedEngine({ slots: 4 }), new ScriptedEngine({ slots: 2 })])
    await set.start()
    expect({ slots: set.slots, model: set.model, name: set.name }).toEqual({ slots: 6, model: 'scripted', name: 'scripted' })
  })

  it('asks the least busy, by its own slots', async () => {
    const [large, small] = [new ScriptedEngine({ slots: 4, holds: true }), new ScriptedEngine({ slots: 2, holds: true })]
    const set = new ReplicaSet([large, small])
    await set.start()
    const asked = Array.from({ length: 6 }, () => set.ask(ask))
    await expect.poll(() => large.held + small.held).toBe(6)
    expect([large.held, small.held]).toEqual([4, 2])
    large.release()
    small.release()
    await Promise.all(asked)
  })

  it('asks another when one is away, and does not count its slots', async () => {
    const [first, second] = [new ScriptedEngine({ slots: 2 }), new ScriptedEngine({ slots: 3 })]
    const { options } = timeOf()
    const set = new ReplicaSet([first, second], options)
    await set.start()
    first.failure = unreachable()
    expect((await Promise.all([set.ask(ask), set.ask(ask), set.ask(ask)])).map(({ text }) => text)).toEqual(['x', 'x', 'x'])
    expect(set.slots).toBe(3)
    const before = first.asked
    await set.ask(ask)
    expect(first.asked).toBe(before)
  })

  it('takes one back that is there again, after a pause that grows', async () => {
    const [first, second] = [new ScriptedEngine({ slots: 1 }), new ScriptedEngine({ slots: 1 })]
    const { clock, options } = timeOf()
    const set = new ReplicaSet([first, second], options)
    await set.start()
    first.failure = unreachable()
    first.startFailure = unreachable()
    await set.ask(ask)
    clock.ms = 499
    await set.ask(ask)
    expect(first.started).toBe(1)
    clock.ms = 500
    await set.ask(ask)
    await expect.poll(() => first.started).toBe(2)
    clock.ms = 1499
    await set.ask(ask)
    expect(first.started).toBe(2)
    first.failure = undefined
    first.startFailure = undefined
    clock.ms = 1500
    await set.ask(ask)
    await expect.poll(() => set.slots).toBe(2)
  })

  it('fails a question only when none is there, and looks again when it is time', async () => {
    const engines = [new ScriptedEngine({ slots: 1 }), new ScriptedEngine({ slots: 1 })]
    const { clock, options } = timeOf()
    const set = new ReplicaSet(engines, options)
    await set.start()
    for (const engine of engines) engine.failure = unreachable()
    await expect(set.ask(ask)).rejects.toMatchObject({ code: 'engine-unreachable' })
    await expect(set.ask(ask)).rejects.toMatchObject({ code: 'engine-unreachable', message: expect.stringMatching(/none of the 2 servers/) })
    for (const engine of engines) engine.failure = undefined
    clock.ms = 1000
    expect((await set.ask(ask)).text).toBe('x')
  })

  it('does not let somebody hear two answers, but for one who can begin anew', async () => {
    const cut = new ScriptedEngine({ slots: 4, failsAfterPieces: unreachable() })
    const whole = new ScriptedEngine({ slots: 1 })
    const { options } = timeOf()
    const heard: string[] = []
    const listen = (piece: string) => void heard.push(piece) as undefined
    const deaf = new ReplicaSet([cut, whole], options)
    await deaf.start()
    await expect(deaf.ask(ask, { listen })).rejects.toMatchObject({ code: 'engine-unreachable' })
    heard.length = 0
    const patient = new ReplicaSet([cut, whole], options)
    await patient.start()
    await patient.ask(ask, { listen, again: () => heard.push('|') })
    expect(heard).toEqual(['x', '|', 'x'])
  })

  it('leaves one alone that is too busy while there is another, and says that all are when there is none', async () => {
    const busy = new ScriptedEngine({ slots: 1 })
    const other = new ScriptedEngine({ slots: 1 })
    const { options } = timeOf()
    const set = new ReplicaSet([busy, other], options)
    await set.start()
    busy.failure = new PagestreamError('engine-busy', 'asking: busy')
    expect((await set.ask(ask)).text).toBe('x')
    expect(set.slots).toBe(1)
    other.failure = busy.failure
    await expect(set.ask(ask)).rejects.toMatchObject({ code: 'engine-busy' })
    expect(set.slots).toBe(1)
  })

  it('passes on all other failures', async () => {
    const broken = new ScriptedEngine({ slots: 1 })
    broken.failure = new PagestreamError('engine-failed', 'asking: broken')
    const set = new ReplicaSet([broken, new ScriptedEngine({ slots: 1 })])
    await set.start()
    await expect(set.ask(ask)).rejects.toMatchObject({ code: 'engine-failed' })
    expect(set.slots).toBe(2)
  })

  it('leaves one alone that breaks down over all it is asked, though it is always the least busy', async () => {
    const [broken, well] = [new ScriptedEngine({ slots: 1 }), new ScriptedEngine({ slots: 1 })]
    broken.failure = new PagestreamError('engine-failed', 'asking: broken')
    const { clock, options } = timeOf()
    const set = new ReplicaSet([broken, well], options)
    await set.start()
    const askMany = async (count: number) => {
      for (let index = 0; index < count; index++) await set.ask(ask).catch(() => undefined)
    }
    await askMany(50)
    expect(broken.asked).toBe(1)
    expect(well.asked).toBe(49)
    const alone = new ReplicaSet([broken], options)
    await alone.start()
    for (let index = 0; index < 3; index++) await expect(alone.ask(ask)).rejects.toMatchObject({ code: 'engine-failed' })
    await expect(alone.ask(ask)).rejects.toMatchObject({ code: 'engine-unreachable' })
    broken.failure = undefined
    clock.ms = 1000
    expect((await alone.ask(ask)).text).toBe('x')
  })

  it('starts anew after a start that found none', async () => {
    const [first, second] = [new ScriptedEngine({ slots: 1 }), new ScriptedEngine({ slots: 2 })]
    for (const engine of [first, second]) engine.startFailure = unreachable()
    const set = new ReplicaSet([first, second])
    await expect(set.start()).rejects.toMatchObject({ code: 'engine-unreachable' })
    for (const engine of [first, second]) engine.startFailure = undefined
    await set.start()
    expect(set.slots).toBe(3)
  })

  it('starts while one of several is away, not when one is refused and not with different models', async () => {
    const [away, there, refused] = [new ScriptedEngine({ slots: 1 }), new ScriptedEngine({ slots: 1 }), new ScriptedEngine({ slots: 1 })]
    away.startFailure = unreachable()
    const set = new ReplicaSet([away, there])
    await set.start()
    expect(set.slots).toBe(1)
    away.startFailure = new PagestreamError('engine-busy', 'loading')
    await new ReplicaSet([away, there]).start()
    away.startFailure = unreachable()
    await expect(new ReplicaSet([away]).start()).rejects.toMatchObject({ code: 'engine-unreachable' })
    refused.startFailure = new PagestreamError('engine-refused', 'no such model')
    await expect(new ReplicaSet([there, refused]).start()).rejects.toMatchObject({ code: 'engine-refused' })
    const other = new ScriptedEngine({ slots: 1, model: 'other' })
    await expect(new ReplicaSet([there, other]).start()).rejects.toMatchObject({ message: expect.stringMatching(/they differ: scripted, other/) })
  })

  it('does not ask one that comes back with another model, and keeps the name of its own', async () => {
    const [changed, other] = [new ScriptedEngine({ slots: 1 }), new ScriptedEngine({ slots: 1 })]
    const { clock, options } = timeOf()
    const set = new ReplicaSet([changed, other], options)
    await set.start()
    changed.failure = unreachable()
    await set.ask(ask)
    changed.failure = undefined
    changed.model = 'another'
    clock.ms = 60_000
    await set.ask(ask)
    await expect.poll(() => changed.started).toBe(2)
    const before = changed.asked
    await set.ask(ask)
    expect({ asked: changed.asked, slots: set.slots, model: set.model }).toEqual({ asked: before, slots: 1, model: 'scripted' })
  })

  it('adds the loads of those that tell', async () => {
    const [first, second] = [new ScriptedEngine({ slots: 1 }), new ScriptedEngine({ slots: 1 })]
    const set = new ReplicaSet([first, second])
    await set.start()
    expect(await set.load()).toBeUndefined()
    first.loadFigures = { running: 1, waiting: 2 }
    second.loadFigures = { running: 3, waiting: 0 }
    expect(await set.load()).toEqual({ running: 4, waiting: 2 })
  })
})
