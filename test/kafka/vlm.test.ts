import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { packageRoot } from '../../src/config/package-root.ts'
import type { BlockEvent } from '../../src/schema/events.ts'
import { doubleMeanings } from '../chaos/check-history.ts'
import { History } from '../chaos/history.ts'
import { eventually } from '../support/bus-contract.ts'
import { fakeNvidiaSmi } from '../support/fake-nvidia-smi.ts'
import { lastLine } from '../support/kafka/command-line.ts'
import { modelChain, shortPages, startStub } from '../support/kafka/model-chain.ts'
import { describeKafka } from '../support/kafka/test-kafka.ts'
import { colourScript } from '../support/vlm/golden-scripts.ts'
import { asksForPage } from '../support/vlm/page-grammars.ts'
import type { StubScript } from '../support/vlm/stub-options.ts'

type Chain = Awaited<ReturnType<typeof modelChain>>

const complete = (chain: Chain, documents: number, timeout = 60_000) =>
  eventually(() => {
    const states = [...chain.ended().values()].map(({ status }) => status)
    expect(states).toEqual(Array(documents).fill('complete'))
  }, timeout)

/** Reads blocks in words of one edition after another; those of the first wait until they are let go. */
function editions() {
  const scripts = { first: colourScript('mineru2.5', shortPages()), second: colourScript('mineru2.5', shortPages('second')) }
  let edition: keyof typeof scripts = 'first'
  let letGo: () => void = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let read = 0
  const script: StubScript = async (request) => {
    const answer = scripts[edition]
    // One block of the page is told early, the others wait.
    if (edition === 'first' && !asksForPage('mineru2.5', request.prompt) && request.pictures[0] && read++ >= 1) await held
    return answer(request)
  }
  return {
    script,
    letGo,
    turn: () => {
      edition = 'second'
    },
  }
}

const textsOf = (chain: Chain, early: boolean) =>
  chain
    .of('blocks')
    .map(({ payload }) => payload as BlockEvent)
    .filter((event) => (event.early ?? false) === early)
    .map(({ block }) => block.text)

describeKafka('a vision-language model over a real broker', () => {
  it.each(['mineru2.5', 'teleocr'] as const)(
    'reads documents with %s, by one line of the configuration; blocks are told before their page is',
    async (family) => {
      const kind = family === 'teleocr' ? 'openai' : 'vllm'
      const stub = await startStub(family, { kind })
      const chain = await modelChain(family, stub.url, { vlm: { engine: { kind, urls: [stub.url] } } })
      await using history = Object.assign(new History(chain.config.kafka), { [Symbol.asyncDispose]: () => history.close() })
      await history.start()
      const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
      const submitted = [await chain.submit(0, 2, { run: 'a-run', traceparent }), await chain.submit(2, 1, { run: 'a-run', traceparent })]
      await chain.worker()
      await complete(chain, 2)
      for (const [first, each] of [0, 2].map((page, i) => [page, submitted[i]] as const)) {
        if (!each) continue
        const { blocks } = await chain.written(each)
        expect(blocks.every(({ source, flags }) => source === 'vlm:stub-model' && flags.length === 0)).toBe(true)
        expect(blocks.filter(({ page }) => page === 0).map(({ text }) => text)).toEqual([
          `Heading of page ${first} in its first edition`,
          `The upper paragraph of page ${first} in its first edition ends here.`,
          `Name\tPage\nfirst\t${first}`,
          `The lower paragraph of page ${first} in its first edition ends here.`,
        ])
      }
      await eventually(() => expect(new Set(textsOf(chain, false)).size).toBe(12))
      expect(new Set(textsOf(chain, true)).size).toBe(12)
      for (const { run, traceparent: trace } of chain.of('blocks')) expect([run, trace?.slice(0, 35)]).toEqual(['a-run', traceparent.slice(0, 35)])
      const events = history.of('blocks')
      const bodies = events.map(({ body, offset, id }) => ({ ...(JSON.parse(body ?? '') as BlockEvent), offset, id }))
      for (const { block, early, offset, id } of bodies) {
        if (early) continue
        const ofIt = bodies.filter((each) => each.early && each.block.id === block.id)
        expect(ofIt.length).toBeGreaterThan(0)
        for (const each of ofIt) expect([each.offset < offset, each.id === id]).toEqual([true, false])
      }
      expect(doubleMeanings(history.records)).toEqual([])
      expect(chain.of('chunks').length).toBeGreaterThan(0)
      expect(chain.of('dead-letter')).toEqual([])
    },
  )

  it('reads documents with unlimited-ocr, and tells blocks while the page is read', async () => {
    const stub = await startStub('unlimited-ocr')
    const chain = await modelChain('unlimited-ocr', stub.url)
    const path = join(chain.folder, 'scan.pdf')
    await copyFile(join(packageRoot(), 'samples/scan.pdf'), path)
    const submitted = await chain.submitter.identify(path, 'scan.pdf')
    await chain.submitter.send(submitted)
    await chain.worker()
    await complete(chain, 1)
    const { blocks } = await chain.written(submitted)
    expect(blocks.map(({ text }) => text).join(' ')).toMatch(/Heading of page \d+ .* The upper paragraph .* The lower paragraph/s)
    expect(blocks.every(({ source }) => source === 'vlm:stub-model')).toBe(true)
    await eventually(() => expect(textsOf(chain, true).length).toBeGreaterThanOrEqual(blocks.length))
  })

  it('keeps the words of the first reading that ends: a worker is killed, another frozen, and the page is read again in other words', async () => {
    const { script, letGo, turn } = editions()
    const stub = await startStub('mineru2.5', { script })
    const chain = await modelChain('mineru2.5', stub.url)
    await using history = Object.assign(new History(chain.config.kafka), { [Symbol.asyncDispose]: () => history.close() })
    await history.start()
    const killed = await chain.worker()
    await killed.ready()
    const submitted = await chain.submit(0, 1)
    await eventually(() => expect(textsOf(chain, true).length).toBeGreaterThan(0), 30_000)
    killed.child.kill('SIGKILL')
    await killed.done
    const frozen = await chain.worker()
    await eventually(() => expect(stub.running + stub.requests.length).toBeGreaterThanOrEqual(8), 30_000)
    frozen.child.kill('SIGSTOP')
    turn()
    await chain.worker()
    await complete(chain, 1)
    const { blocks } = await chain.written(submitted)
    expect(blocks.map(({ text }) => text).join(' ')).not.toContain('first')
    letGo()
    frozen.child.kill('SIGCONT')
    await eventually(() => expect(stub.running + stub.waiting).toBe(0), 30_000)
    frozen.child.kill('SIGTERM')
    expect((await frozen.done).code).not.toBe(2)
    expect(textsOf(chain, false).join(' ')).not.toContain('first')
    expect(textsOf(chain, true).join(' ')).toContain('first')
    expect(doubleMeanings(history.records)).toEqual([])
    expect((await chain.written(submitted)).blocks).toEqual(blocks)
  })

  it('gives up its questions when it is told to end, and leaves the pages to the next worker; a second signal ends it at once', async () => {
    const { script, letGo } = editions()
    const stub = await startStub('mineru2.5', { script })
    const chain = await modelChain('mineru2.5', stub.url)
    await chain.submit(0, 3)
    await chain.submit(3, 1)
    for (const signals of [1, 2]) {
      const worker = await chain.worker()
      await worker.ready()
      await eventually(() => expect(stub.asked - stub.counts.answered).toBeGreaterThan(1), 30_000)
      worker.child.kill('SIGTERM')
      if (signals === 2) {
        await eventually(() => expect(worker.said.errors).toContain('draining'))
        worker.child.kill('SIGTERM')
      }
      const { code } = await worker.done
      expect(signals === 1 ? [0] : [0, 130]).toContain(code)
      expect(stub.running).toBe(0)
    }
    letGo()
    await chain.worker()
    await complete(chain, 2)
    expect(chain.of('dead-letter')).toEqual([])
  })

  it('serves both lanes with one server that it minds itself', async () => {
    const chain = await modelChain('mineru2.5', 'http://127.0.0.1:1')
    const bin = join(chain.folder, 'bin')
    await mkdir(bin)
    const lives = join(chain.folder, 'lives')
    const stub = join(packageRoot(), 'test/support/vlm/run-stub.mjs')
    const pick = 'while [ $# -gt 0 ]; do [ "$1" = --port ] && port=$2; [ "$1" = --alias ] && model=$2; shift; done'
    const run = `exec "${process.execPath}" "${stub}" --kind llama-server --slots 4 --decode 5000 --total 20000 --prefill 1000000 --port $port --model $model`
    await writeFile(join(bin, 'llama-server'), `#!/bin/sh\n[ "$1" = --version ] && exit 0\necho life >>"${lives}"\n${pick}\n${run}\n`, { mode: 0o755 })
    const engine = { ...chain.config.vlm.engine, kind: 'llama-server' as const, urls: [], managed: true, model: '/m.gguf', projector: '/p.gguf' }
    await chain.configure({ device: 'cpu', vlm: { ...chain.config.vlm, engine } })
    const worker = await chain.worker({ lane: 'both', path: `${bin}:/bin:/usr/bin` })
    await worker.ready()
    await chain.submit(0, 2)
    const bulk = await chain.submitBulk(2, 2)
    await complete(chain, 1)
    await vi.waitFor(async () => expect(await chain.submitter.ended(bulk)).toMatchObject({ status: 'complete' }), { timeout: 30_000, interval: 100 })
    expect(await chain.read(lives)).toBe('life\n')
    worker.child.kill('SIGTERM')
    expect((await worker.done).code).toBe(0)
  })

  it('keeps a worker on each device, and completes all when one of them is killed', async () => {
    const stub = await startStub('mineru2.5', { decodeTokensPerSecond: 60 })
    const chain = await modelChain('mineru2.5', stub.url)
    const gpus = fakeNvidiaSmi([
      { index: 0, uuid: 'GPU-0' },
      { index: 1, uuid: 'GPU-1' },
    ])
    const supervisor = await chain.worker({ devices: '0,1', path: `${gpus}:/bin:/usr/bin` })
    await eventually(() => expect(supervisor.said.errors.match(/ready:/g)).toHaveLength(2), 60_000)
    for (const first of [0, 4, 8, 12]) await chain.submit(first, 2)
    await eventually(() => expect(stub.running).toBeGreaterThan(0), 30_000)
    await supervisor.killOne()
    await complete(chain, 4)
    await eventually(() => expect(supervisor.said.errors).toContain('is started again'))
    supervisor.child.kill('SIGTERM')
    expect((await supervisor.done).code).toBe(0)
    expect(chain.of('dead-letter')).toEqual([])
  })

  it('reads again with --reprocess model what other models have read, and nothing else', async () => {
    const stub = await startStub('mineru2.5')
    const chain = await modelChain('mineru2.5', stub.url)
    const { vlm } = chain.config
    const archive = join(chain.folder, 'archive')
    await mkdir(archive)
    for (const first of [0, 3]) await chain.save(archive, first, 1)
    const named = (model: string) => chain.configure({ vlm: { ...vlm, engine: { ...vlm.engine, model } } })
    await named('stub-model')
    const backfill = async (run: string, mode?: string) =>
      lastLine((await chain.cli('backfill', 'run', archive, '--run', run, '--json', ...(mode ? ['--reprocess', mode] : [])).done).out)
    const end = async (worker: { child: { kill(signal: NodeJS.Signals): boolean }; done: Promise<unknown> }) => {
      worker.child.kill('SIGTERM')
      await worker.done
    }
    const first = await chain.worker({ lane: 'bulk' })
    expect(await backfill('first')).toMatchObject({ state: 'done', sent: 2, ended: { complete: 2 } })
    expect(await backfill('same', 'model')).toMatchObject({ sent: 0, passedOver: 2 })
    await end(first)
    await named('another')
    Object.assign(stub.options, { model: 'another' })
    await chain.save(archive, 6, 1)
    expect(await backfill('settings', 'config')).toMatchObject({ sent: 0 })
    const second = await chain.worker({ lane: 'bulk' })
    expect(await backfill('second', 'model')).toMatchObject({ state: 'done', sent: 2, passedOver: 1, ended: { complete: 2 } })
    expect(await backfill('again', 'model')).toMatchObject({ sent: 0 })
    await end(second)
    const other = await startStub('teleocr', { kind: 'openai' })
    await chain.configure({ vlm: { ...vlm, family: 'teleocr', engine: { ...vlm.engine, kind: 'openai', urls: [other.url] } } })
    expect(await backfill('no-settings', 'config')).toMatchObject({ sent: 0 })
    const third = await chain.worker({ lane: 'bulk' })
    expect(await backfill('family', 'model')).toMatchObject({ state: 'done', sent: 2, passedOver: 1, ended: { complete: 2 } })
    expect(await backfill('family-again', 'model')).toMatchObject({ sent: 0 })
    await end(third)
    await chain.configure({ vlm: { ...vlm, family: 'none' } })
    await chain.configure({ images: true })
    expect(await backfill('both', 'model')).toMatchObject({ sent: 0 })
  })
})
