import { describe, expect, it } from 'vitest'
import { vlmConfigSchema } from '../../../../src/config/vlm-config.ts'
import { EngineRegistry, type EngineSource } from '../../../../src/runtime/vlm/engine-registry.ts'
import { PagestreamError } from '../../../../src/schema/failure.ts'
import { FakeEngine, type FakeEngineOptions, plainAsk } from '../../../support/vlm/fake-engine.ts'

const source = (more: Record<string, unknown> = {}, family = 'mineru2.5'): EngineSource => ({
  ...vlmConfigSchema.parse({ family, engine: { urls: ['http://a'], ...more } }),
  device: 'cpu',
})

/** A registry of fake engines, in the order in which they are built. */
function registry(optionsOf: (index: number) => FakeEngineOptions = () => ({})) {
  const built: FakeEngine[] = []
  const own = new EngineRegistry(() => {
    const engine = new FakeEngine(optionsOf(built.length))
    built.push(engine)
    return engine
  })
  return { own, built }
}

function gate() {
  let open: () => void = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open: () => open(), opened }
}

/** Waits like a server that loads: until the signal says otherwise. */
const forever = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new PagestreamError('cancelled', 'starting a fake engine: told to stop'))))

describe('EngineRegistry', () => {
  it('builds and starts an engine once for all who ask for the same', async () => {
    const { own, built } = registry()
    const [a, b] = [own.open(source()), own.open(source())]
    await Promise.all([a.start(), b.start(), a.start()])
    expect(built.length).toBe(1)
    expect(built[0]?.starts).toBe(1)
    expect((await b.ask(plainAsk)).text).toBe('fake')
  })

  it.each([
    ['family', source({}, 'unlimited-ocr')],
    ['kind', source({ kind: 'vllm' })],
    ['model', source({ model: 'm' })],
    ['address', source({ urls: ['http://b'] })],
  ])('builds another one for another %s', async (_, other) => {
    const { own, built } = registry()
    await Promise.all([own.open(source()).start(), own.open(other).start()])
    expect(built.length).toBe(2)
  })

  it('stops an engine when the last one has given it back, and builds anew after that', async () => {
    const { own, built } = registry()
    const [a, b] = [own.open(source()), own.open(source())]
    await Promise.all([a.start(), b.start()])
    await a[Symbol.asyncDispose]()
    await a[Symbol.asyncDispose]()
    expect(built[0]?.stops).toBe(0)
    await expect(a.ask(plainAsk)).rejects.toThrow(/given back/)
    await b[Symbol.asyncDispose]()
    expect(built[0]?.stops).toBe(1)
    await own.open(source()).start()
    expect(built.length).toBe(2)
  })

  it('tells all who have an engine what they should know, and nobody who has given it back', async () => {
    const told: string[] = []
    let tell: (line: string) => void = () => {}
    const own = new EngineRegistry((_, { onNotice }) => {
      tell = onNotice
      return new FakeEngine()
    })
    const handles = ['a', 'b'].map((name) => own.open(source(), { onNotice: (line) => told.push(`${name} ${line}`) }))
    for (const handle of handles) await handle.start()
    tell('loads')
    await handles[0]?.[Symbol.asyncDispose]()
    tell('fell')
    expect(told).toEqual(['a loads', 'b loads', 'b fell'])
  })

  it('does not remember a start that failed', async () => {
    const { own, built } = registry((index) => ({
      onStart: async () => {
        if (index === 0) throw new PagestreamError('engine-failed', 'starting a fake engine: no')
      },
    }))
    const handle = own.open(source())
    await expect(handle.start()).rejects.toMatchObject({ code: 'engine-failed' })
    expect(built[0]?.stops).toBe(1)
    await handle.start()
    expect(built.length).toBe(2)
    expect((await handle.ask(plainAsk)).text).toBe('fake')
  })

  it('stops loading when nobody waits any more, and only then', async () => {
    const { own, built } = registry(() => ({ onStart: forever }))
    const [first, second] = [new AbortController(), new AbortController()]
    const starts = [own.open(source()).start(first.signal), own.open(source()).start(second.signal)]
    first.abort()
    await expect(starts[0]).rejects.toMatchObject({ code: 'cancelled' })
    expect(built[0]?.stops).toBe(0)
    second.abort()
    await expect(starts[1]).rejects.toMatchObject({ code: 'cancelled' })
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(built[0]?.stops).toBe(1)
  })

  it('ends starts that are under way and stops the others, the last one first, when it is disposed of', async () => {
    const stopped: number[] = []
    const { own, built } = registry((index) => ({ onStop: () => stopped.push(index), ...(index === 2 && { onStart: forever }) }))
    await own.open(source()).start()
    await own.open(source({ model: 'b' })).start()
    const loading = own.open(source({ model: 'c' })).start()
    await Promise.all([expect(loading).rejects.toMatchObject({ code: 'cancelled' }), own[Symbol.asyncDispose]()])
    expect(built.length).toBe(3)
    expect(stopped).toEqual([2, 1, 0])
    await expect(own.open(source()).start()).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('lets engines with the same word work one after the other, and all others beside them', async () => {
    const gates = [gate(), gate(), gate()]
    const begun: number[] = []
    const { own } = registry((index) => ({
      ...(index < 2 && { exclusive: 'gpu' }),
      onAsk: async () => {
        begun.push(index)
        await gates[index]?.opened
        return 'done'
      },
    }))
    const handles = ['a', 'b', 'c'].map((model) => own.open(source({ model })))
    for (const handle of handles) await handle.start()
    const abort = new AbortController()
    const asked = handles.map((handle) => handle.ask(plainAsk))
    const waiting = handles[1]?.ask(plainAsk, { signal: abort.signal })
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(begun).toEqual([2, 0])
    abort.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' })
    gates[0]?.open()
    await asked[0]
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(begun).toEqual([2, 0, 1])
    for (const each of gates) each.open()
    await Promise.all(asked)
    expect(begun.length).toBe(3)
  })
})
