import { afterEach, describe, expect, it, vi } from 'vitest'
import { vlmConfigSchema } from '../../../src/config/vlm-config.ts'
import { EngineRegistry } from '../../../src/runtime/vlm/engine-registry.ts'
import { openHttpEngine } from '../../../src/runtime/vlm/engines/http/open-http-engine.ts'
import { ManagedEngine } from '../../../src/runtime/vlm/engines/managed/managed-engine.ts'
import { isAlive } from '../../support/is-alive.ts'
import { describeEngine } from '../../support/vlm/engine-contract.ts'
import { scriptAsk, type TinyLlama, tinyLlama } from '../../support/vlm/tiny-llama-engine.ts'

const tiny = await tinyLlama()
const missing = 'missing' in tiny ? tiny.missing : undefined

function managed(given: TinyLlama): { readonly engine: ManagedEngine; readonly notices: string[]; readonly exits: Error[] } {
  const { model, projector } = given.config()
  const few = ['-t', '2', '-c', '32768', '-np', '4', '--image-max-tokens', '256']
  const { engine } = vlmConfigSchema.parse({ engine: { managed: true, kind: 'llama-server', model, projector, arguments: few, startMs: 60_000 } })
  const notices: string[] = []
  const exits: Error[] = []
  const own = new ManagedEngine({
    ...{ family: 'mineru2.5', engine, env: { ...process.env, PATH: `${given.library}:${process.env.PATH}` } },
    device: { kind: 'cpu', id: 'cpu', name: '', driver: '', memoryBytes: 8e9 },
    engineFor: (kind, url) => openHttpEngine('mineru2.5', kind, engine, [url]),
    onNotice: (line) => notices.push(line),
    onExit: (error) => exits.push(error),
  })
  return { engine: own, notices, exits }
}

const answerOf = (given: TinyLlama, colour: string): string =>
  (given.scripts.find((script) => script.mode === 'text' && script.colour === colour)?.answer ?? '').replace('<|im_end|>', '')

if (!('missing' in tiny)) {
  describeEngine('a managed llama-server', async () => ({
    engine: managed(tiny).engine,
    short: { ask: await scriptAsk(tiny, { mode: 'text', colour: '100' }), text: answerOf(tiny, '100') },
    unicode: { ask: await scriptAsk(tiny, { mode: 'text', colour: '010' }), text: answerOf(tiny, '010') },
    long: await scriptAsk(tiny, { mode: 'loop', colour: null }, { maxTokens: 7_000 }),
  }))
}

describe.skipIf(missing)(`an engine over a managed llama-server${missing ? ` (needs ${missing})` : ''}`, () => {
  const given = tiny as TinyLlama
  const open: AsyncDisposable[] = []
  afterEach(async () => {
    for (const each of open.splice(0)) await each[Symbol.asyncDispose]()
  })

  const loop = () => scriptAsk(given, { mode: 'loop', colour: null }, { maxTokens: 7_000 })
  const pidOf = async (begun: Promise<unknown>): Promise<number> => {
    await begun
    const { execFileSync } = await import('node:child_process')
    const list = execFileSync('ps', ['-eo', 'pid,ppid,args'], { encoding: 'utf8' }).split('\n')
    return Number(
      list
        .find((line) => line.includes(` ${process.pid} `) && line.includes('llama-server'))
        ?.trim()
        .split(/\s+/)[0],
    )
  }

  it('fails what is in hand when the server is killed, in a way that is tried again, and then answers the same', async () => {
    const { engine, notices } = managed(given)
    open.push(engine)
    await engine.start()
    let heard: () => void = () => {}
    const begun = new Promise<void>((resolve) => {
      heard = resolve
    })
    const answer = engine.ask(await loop(), { listen: () => void heard() as undefined })
    const failure = expect(answer).rejects.toMatchObject({ code: 'engine-unreachable' })
    process.kill(await pidOf(begun), 'SIGKILL')
    await failure
    const ask = await scriptAsk(given, { mode: 'text', colour: '100' })
    await vi.waitFor(async () => expect((await engine.ask(ask)).text).toBe(answerOf(given, '100')), { timeout: 30_000, interval: 200 })
    expect(notices.some((line) => line.includes('started again'))).toBe(true)
  })

  it('is loaded once by the registry and stopped within seconds while questions are open, and nothing of it is left', async () => {
    let loads = 0
    const registry = new EngineRegistry(() => {
      loads++
      return managed(given).engine
    })
    open.push(registry)
    const source = { ...vlmConfigSchema.parse({ family: 'mineru2.5', engine: { managed: true } }), device: 'cpu' }
    await registry.open(source).start()
    const handle = registry.open(source)
    await handle.start()
    let heard: () => void = () => {}
    const begun = new Promise<void>((resolve) => {
      heard = resolve
    })
    const answer = handle.ask(await loop(), { listen: () => void heard() as undefined })
    const ended = answer.catch((error: unknown) => error)
    const pid = await pidOf(begun)
    const started = performance.now()
    await registry[Symbol.asyncDispose]()
    expect(performance.now() - started).toBeLessThan(6_000)
    expect(await ended).toMatchObject({ code: 'cancelled' })
    expect(isAlive(pid)).toBe(false)
    expect(loads).toBe(1)
  })
})
