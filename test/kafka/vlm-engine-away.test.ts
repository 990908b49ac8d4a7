import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import type { BlockEvent } from '../../src/schema/events.ts'
import { eventually } from '../support/bus-contract.ts'
import { modelChain, startStub } from '../support/kafka/model-chain.ts'
import { describeKafka } from '../support/kafka/test-kafka.ts'
import { asksForPage } from '../support/vlm/page-grammars.ts'
import type { StubFault, StubRequest } from '../support/vlm/stub-options.ts'

type Worker = Awaited<ReturnType<Awaited<ReturnType<typeof modelChain>>['worker']>>

const allComplete = (chain: Awaited<ReturnType<typeof modelChain>>, documents: number) =>
  eventually(() => expect([...chain.ended().values()].map(({ status }) => status)).toEqual(Array(documents).fill('complete')), 60_000)

const layoutOf = async (worker: Worker) => {
  const { stages } = JSON.parse(await worker.get('/status')) as { stages: { stage: string; state: string }[] }
  return stages.find(({ stage }) => stage === 'layout')
}
const soon = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 20_000, interval: 100 })
const gauge = async (worker: Worker, series: string) => Number(new RegExp(`^${series} (\\S+)$`, 'm').exec(await worker.get('/metrics'))?.[1])
const allowed = (worker: Worker) => gauge(worker, 'pagestream_vlm_slots\\{lane="live",state="allowed"\\}')

describeKafka('a worker whose engine is away, overloaded or refuses', () => {
  it('waits for an engine that is away, gives nothing up, and goes on when it is back', async () => {
    const stub = await startStub('mineru2.5', { decodeTokensPerSecond: 100 })
    const chain = await modelChain('mineru2.5', stub.url)
    const worker = await chain.worker()
    await worker.ready()
    for (const first of [0, 3, 6, 9]) await chain.submit(first, 3)
    await eventually(() => expect(stub.running).toBeGreaterThan(0), 30_000)
    await stub[Symbol.asyncDispose]()
    await soon(async () => expect(await layoutOf(worker)).toMatchObject({ state: 'waiting' }))
    expect(worker.said.errors).toContain('the engine does not answer')
    await sleep(33_000) // longer than questions wait for it
    expect(await layoutOf(worker)).toMatchObject({ state: 'waiting' })
    await startStub('mineru2.5', {}, stub.port)
    await allComplete(chain, 4)
    await soon(async () => expect(await layoutOf(worker)).toMatchObject({ state: 'open' }))
    expect(worker.said.errors).toContain('the engine is back')
    expect(chain.of('dead-letter')).toEqual([])
    expect(chain.of('blocks').flatMap(({ payload }) => (payload as BlockEvent).block.flags)).toEqual([])
  })

  it('is started before its engine and waits for it', async () => {
    const stub = await startStub('mineru2.5')
    const chain = await modelChain('mineru2.5', stub.url)
    await stub[Symbol.asyncDispose]()
    const worker = await chain.worker()
    await eventually(() => expect(worker.said.errors).toContain('it is tried again until it answers'), 30_000)
    await startStub('mineru2.5', {}, stub.port)
    await worker.ready()
  })

  it('asks less of an engine that says that it is overloaded, and more when it is not', async () => {
    let fault: StubFault | undefined
    const stub = await startStub('mineru2.5', { slots: 16, decodeTokensPerSecond: 400, fault: () => fault })
    const chain = await modelChain('mineru2.5', stub.url)
    const worker = await chain.worker()
    await worker.ready()
    for (const first of [0, 3, 6, 9]) await chain.submit(first, 3)
    await eventually(() => expect(stub.running).toBeGreaterThan(0), 30_000)
    for (const status of [429, 503]) {
      fault = { kind: 'status', status }
      await soon(async () => expect(await allowed(worker)).toBeLessThan(16))
      fault = undefined
    }
    await allComplete(chain, 4)
    const lowest = await allowed(worker)
    for (const first of [12, 15, 18, 21]) await chain.submit(first, 3)
    await allComplete(chain, 8)
    expect(await allowed(worker)).toBeGreaterThan(Math.min(15, lowest))
    expect(chain.of('dead-letter')).toEqual([])
  })

  it.each([
    ['wants another key', { fault: { kind: 'status', status: 401 } }, /engine-refused: .*401, the server wants a key, or another one/],
    ['has no such model', { model: 'gone' }, /engine-refused: .*no such model/],
  ] as const)('ends with one line and exit code 2 when the engine %s in the middle, and leaves the pages to the next', async (_, change, says) => {
    const stub = await startStub('mineru2.5')
    const chain = await modelChain('mineru2.5', stub.url, { vlm: { engine: { kind: 'vllm', urls: [stub.url], model: 'stub-model' } } })
    const worker = await chain.worker()
    await worker.ready()
    const { model } = stub.options
    Object.assign(stub.options, 'fault' in change ? { fault: () => change.fault } : change)
    await chain.submit(0, 2)
    const { code, errors } = await worker.done
    expect(code).toBe(2)
    expect(errors.split('\n').filter((line) => says.test(line))).toHaveLength(1)
    Object.assign(stub.options, { fault: undefined, model })
    await chain.worker()
    await allComplete(chain, 1)
    expect(chain.of('dead-letter')).toEqual([])
  })

  it('reads a page over which the engine is lost without the model, and all others with it', async () => {
    let poison: string | undefined
    let known: string | undefined
    const pictureOf = ({ body }: StubRequest) => JSON.stringify(body.messages)
    const stub = await startStub('mineru2.5', {
      fault: (request) => {
        if (!asksForPage('mineru2.5', request.prompt)) return undefined
        known ??= pictureOf(request) // with which the model is tried at the start
        if (pictureOf(request) !== known) poison ??= pictureOf(request)
        return pictureOf(request) === poison ? { kind: 'cut', afterTokens: 0 } : undefined
      },
    })
    const chain = await modelChain('mineru2.5', stub.url)
    const worker = await chain.worker()
    await worker.ready()
    const documents = [await chain.submit(0, 1), await chain.submit(2, 2), await chain.submit(4, 2)]
    await allComplete(chain, 3)
    const written = await Promise.all(documents.map((document) => chain.written(document)))
    const flagged = written.filter(({ pages }) => pages.some(({ flags }) => flags.includes('fallback')))
    expect(flagged).toHaveLength(1)
    for (const document of written) {
      if (document === flagged[0]) continue
      expect(document.blocks).toHaveLength(4 * document.pages.length)
      expect(document.blocks.every(({ source, flags }) => source === 'vlm:stub-model' && flags.length === 0)).toBe(true)
    }
    expect(chain.of('dead-letter')).toEqual([])
    expect((await layoutOf(worker))?.state).toBe('open')
  })

  it('gives up a page that breaks an engine which else answers, and says so in status and among the dead letters', async () => {
    const isOfBlock = ({ prompt }: StubRequest) => !asksForPage('mineru2.5', prompt)
    const stub = await startStub('mineru2.5', { fault: (request) => (isOfBlock(request) ? { kind: 'status', status: 500 } : undefined) })
    const chain = await modelChain('mineru2.5', stub.url, { more: { worker: { retryAttempts: 2, retryMs: 0 } } })
    const worker = await chain.worker()
    await worker.ready()
    const submitted = await chain.submit(0, 1)
    await eventually(() => expect(chain.ended().get(submitted.documentId)).toMatchObject({ failedPages: 1 }), 60_000)
    const letters = (await chain.cli('dlq', 'list', '--json').done).out.trim().split('\n')
    expect(letters).toHaveLength(1)
    expect(letters[0]).toContain('engine-failed')
    expect((await chain.cli('status', '--document', submitted.documentId, '--json').done).out).toMatch(/"failed":1/)
  })
})
