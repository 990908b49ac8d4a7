import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { dialectFor } from '../../../src/runtime/vlm/engines/http/dialects/dialect-for.ts'
import { HttpEngine, type HttpEngineOptions } from '../../../src/runtime/vlm/engines/http/http-engine.ts'
import { askOf } from '../../support/vlm/asks.ts'
import { quickStub, type StubFault, type StubOptions } from '../../support/vlm/stub-options.ts'
import { StubServer } from '../../support/vlm/stub-server.ts'

/** Says its port, and a word every 200 ms, whatever it is asked. */
const talkingServer = `
const chunk = (delta, finish_reason) => 'data: ' + JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] }) + '\\n\\n'
const server = require('node:http').createServer(async (request, response) => {
  if (request.method === 'GET') return response.setHeader('content-type', 'application/json').end('{"data":[{"id":"m"}]}')
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (let word = 0; word < 10; word++) {
    response.write(chunk({ content: 'word ' }))
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  response.end(chunk({}, 'stop') + 'data: [DONE]\\n\\n')
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))`

const text = '<|box_start|>100 050 900 120<|box_end|>a reading of some words'

describe('an engine over HTTP', () => {
  const open: AsyncDisposable[] = []

  const start = async (stubOptions: Partial<StubOptions> = {}, engineOptions: Partial<HttpEngineOptions> = {}) => {
    const stub = await StubServer.start({ ...quickStub, script: () => text, ...stubOptions })
    open.push(stub)
    return { stub, engine: engineOf({ url: stub.url, dialect: dialectFor('mineru2.5', stub.options.kind), ...engineOptions }) }
  }

  const engineOf = (options: Partial<HttpEngineOptions> & { url: string }): HttpEngine => {
    const times = { timeoutMs: 5000, silenceMs: 2000, startMs: 3000, absentMs: 0 }
    const engine = new HttpEngine({ dialect: dialectFor('mineru2.5', 'vllm'), model: '', apiKeyFile: '', slots: 0, ...times, ...options })
    open.unshift(engine)
    return engine
  }

  afterEach(async () => {
    for (const each of open.splice(0)) await each[Symbol.asyncDispose]()
  })

  it('waits for counts no longer than for a moment where a stream ends its answer and stays open', async () => {
    const server = createHttpServer((request, response) => {
      if (request.url === '/v1/models') return void response.end('{"data":[{"id":"m"}]}')
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    open.push({ [Symbol.asyncDispose]: async () => void server.close() })
    const engine = engineOf({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, timeoutMs: 60_000, silenceMs: 60_000 })
    await engine.start()
    expect(await engine.ask(askOf('x'))).toMatchObject({ text: '', finish: 'stop' })
  }, 10_000)

  it('asks for figures again after a gateway has failed, and not where there are none', async () => {
    let status = 502
    let looks = 0
    const server = createHttpServer((request, response) => {
      if (request.url === '/v1/models') return void response.end('{"data":[{"id":"m"}]}')
      looks += 1
      response.writeHead(status).end('vllm:num_requests_running 1\nvllm:num_requests_waiting 2\n')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    open.push({ [Symbol.asyncDispose]: async () => void server.close() })
    const engine = engineOf({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
    await engine.start()
    expect(await engine.load()).toBeUndefined()
    status = 200
    expect(await engine.load()).toEqual({ running: 1, waiting: 2 })
    status = 404
    for (let index = 0; index < 3; index++) expect(await engine.load()).toBeUndefined()
    expect(looks).toBe(3)
  })

  const askWith = async (fault: StubFault, engineOptions: Partial<HttpEngineOptions> = {}, ask = askOf('x')) => {
    const { engine, stub } = await start({ fault: () => fault }, engineOptions)
    await engine.start()
    return { answer: engine.ask(ask), stub, engine }
  }

  it('hears what has come while this process itself stood still', async () => {
    const server = spawn(process.execPath, ['-e', talkingServer], { stdio: ['ignore', 'pipe', 'ignore'] })
    open.push({ [Symbol.asyncDispose]: async () => void server.kill() })
    const [port] = (await once(server.stdout, 'data')) as [Buffer]
    const engine = engineOf({ url: `http://127.0.0.1:${port}`, silenceMs: 400, model: 'm' })
    await engine.start()
    const answer = engine.ask(askOf('x'), {
      listen() {
        if (standStill) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
        standStill = false
        return undefined
      },
    })
    let standStill = true
    expect((await answer).text).toBe('word '.repeat(10))
  })

  it.each<readonly [StubFault, string, RegExp]>([
    [{ kind: 'status', status: 401 }, 'engine-refused', /apiKeyFile/],
    [{ kind: 'status', status: 404 }, 'engine-refused', /vlm\.engine\.urls/],
    [{ kind: 'status', status: 429 }, 'engine-busy', /too much to do/],
    [{ kind: 'status', status: 500 }, 'engine-failed', /broken down/],
    [{ kind: 'status', status: 500, message: 'CUDA error: out of memory' }, 'engine-memory', /memory/],
    [{ kind: 'status', status: 503 }, 'engine-busy', /loading/],
    [{ kind: 'html' }, 'engine-refused', /web page/],
    [{ kind: 'html', status: 502 }, 'engine-unreachable', /gateway/],
    [{ kind: 'cut', afterTokens: 0 }, 'engine-unreachable', /cut/],
    [{ kind: 'cut', afterTokens: 5 }, 'engine-unreachable', /cut/],
    [{ kind: 'broken-chunk', afterTokens: 3 }, 'engine-unreachable', /cut/],
    [{ kind: 'stream-error', afterTokens: 3 }, 'engine-failed', /broken down/],
    [{ kind: 'not-json', afterTokens: 3 }, 'answer-invalid', /no piece of a chat/],
    [{ kind: 'no-end', afterTokens: 3 }, 'answer-invalid', /not why/],
    [{ kind: 'finish', reason: 'content_filter' }, 'answer-invalid', /reason/],
    [{ kind: 'finish', reason: 'abort' }, 'engine-failed', /gave up/],
  ])('makes of %j: %s', async (fault, code, message) => {
    const { answer } = await askWith(fault)
    await expect(answer).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
  })

  it('gives up what stands still, and frees the slot', async () => {
    const { answer, stub } = await askWith({ kind: 'silence', afterTokens: 3 }, { silenceMs: 150 })
    await expect(answer).rejects.toMatchObject({ code: 'engine-timeout', message: expect.stringMatching(/silenceMs/) })
    await expect.poll(() => stub.running).toBe(0)
  })

  it('gives up what does not answer at all, and what never ends', async () => {
    const { answer } = await askWith({ kind: 'hang' }, { timeoutMs: 150 })
    await expect(answer).rejects.toMatchObject({ code: 'engine-timeout', message: expect.stringMatching(/timeoutMs/) })
    const endless = await askWith({ kind: 'never-ending' }, { timeoutMs: 300 }, askOf('x', { maxTokens: 1_000_000 }))
    await expect(endless.answer).rejects.toMatchObject({ code: 'engine-timeout' })
    await expect.poll(() => endless.stub.running).toBe(0)
  })

  it('ends an answer itself where the server keeps no limit of tokens', async () => {
    const { answer, stub } = await askWith({ kind: 'never-ending' }, {}, askOf('x', { maxTokens: 20 }))
    await expect(answer).resolves.toMatchObject({ finish: 'length', text: ' la'.repeat(21) })
    await expect.poll(() => stub.running).toBe(0)
  })

  it('takes an answer whose counts are missing, and counts its pieces', async () => {
    const { answer } = await askWith({ kind: 'no-usage' })
    const { outputTokens, promptTokens, finish } = await answer
    expect({ promptTokens, finish }).toEqual({ promptTokens: 0, finish: 'stop' })
    expect(outputTokens).toBeGreaterThan(5)
  })

  it('takes an empty answer, and bytes that are no text as signs that say so', async () => {
    const empty = await askWith({ kind: 'empty' })
    await expect(empty.answer).resolves.toMatchObject({ text: '', finish: 'stop' })
    const broken = await askWith({ kind: 'invalid-utf8', afterTokens: 0 })
    expect((await broken.answer).text).toMatch(/^\ufffd\(\ufffd/)
  })

  it('says that an answer was ended by the server because it repeated itself', async () => {
    const { answer } = await askWith({ kind: 'finish', reason: 'repetition_detected' })
    await expect(answer).resolves.toMatchObject({ finish: 'stopped' })
  })

  it('passes over comments between the events', async () => {
    const { engine } = await start({ comments: true })
    await engine.start()
    expect((await engine.ask(askOf('x'))).text).toBe(text)
  })

  it('keeps special tokens with servers that drop them by default', async () => {
    for (const kind of ['vllm', 'sglang'] as const) {
      const { engine } = await start({ kind })
      await engine.start()
      expect((await engine.ask(askOf('x'))).text).toBe(text)
    }
  })

  it('sends the picture whole, and encodes it once', async () => {
    const { engine, stub } = await start()
    await engine.start()
    const ask = askOf('x "quoted" \u{1f600}')
    await engine.ask(ask)
    await engine.ask(ask)
    const [first, second] = stub.requests
    expect(first?.prompt).toBe(ask.prompt)
    expect(first?.pictures[0]?.bytes().equals(Buffer.from(ask.picture?.bytes ?? []))).toBe(true)
    expect(second?.pictures[0]).toMatchObject({ width: 64, height: 64, mediaType: 'image/png' })
  })

  it('uses its connections again', async () => {
    const { engine, stub } = await start()
    await engine.start()
    for (let round = 0; round < 5; round++) await engine.ask(askOf('x'))
    expect(stub.connections).toBeLessThanOrEqual(2)
  })

  it('lets an exception of the listener through, and frees the slot', async () => {
    const { engine, stub } = await start({ script: () => ({ text: '', loop: ' la' }) })
    await engine.start()
    const listen = () => {
      throw new TypeError('a fault of ours')
    }
    await expect(engine.ask(askOf('x', { maxTokens: 100_000 }), { listen })).rejects.toThrow('a fault of ours')
    await expect.poll(() => stub.running).toBe(0)
  })

  describe('starts', () => {
    it('with the only model of the server, and the slots that it tells', async () => {
      const { engine } = await start({ kind: 'llama-server', slots: 3, model: '/models/tiny.gguf' })
      await engine.start()
      expect({ model: engine.model, slots: engine.slots }).toEqual({ model: 'tiny.gguf', slots: 3 })
    })

    it('not with one of several models, and not with one that is not served', async () => {
      const { engine } = await start({ otherModels: ['other'] })
      await expect(engine.start()).rejects.toMatchObject({ code: 'engine-refused', message: expect.stringMatching(/stub-model, other.*vlm\.engine\.model/) })
      const wrong = await start({}, { model: 'none-such' })
      await expect(wrong.engine.start()).rejects.toMatchObject({ code: 'engine-refused', message: expect.stringMatching(/no model none-such, but stub-model/) })
    })

    it('with the configured one of several', async () => {
      const { engine } = await start({ otherModels: ['other'] }, { model: 'stub-model' })
      await engine.start()
      expect((await engine.ask(askOf('x'))).text).toBe(text)
    })

    it('with the key of its file, and says so where it is wrong or missing', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'pagestream-key-'))
      try {
        const apiKeyFile = join(folder, 'key')
        await writeFile(apiKeyFile, 'sk-right\n')
        const right = await start({ apiKey: 'sk-right' }, { apiKeyFile })
        await right.engine.start()
        expect((await right.engine.ask(askOf('x'))).text).toBe(text)
        await writeFile(apiKeyFile, 'sk-wrong')
        const wrong = await start({ apiKey: 'sk-right' }, { apiKeyFile })
        await expect(wrong.engine.start()).rejects.toMatchObject({ code: 'engine-refused', message: expect.stringMatching(/apiKeyFile/) })
        await writeFile(apiKeyFile, '\n')
        await expect(wrong.engine.start()).rejects.toMatchObject({ code: 'engine-refused', message: expect.stringMatching(/holds no key/) })
        const none = await start({}, { apiKeyFile: join(folder, 'none') })
        await expect(none.engine.start()).rejects.toMatchObject({ code: 'engine-refused', message: expect.stringMatching(/no such file/) })
      } finally {
        await rm(folder, { recursive: true })
      }
    })

    it('once a server that is loading is ready', async () => {
      const { engine } = await start({ loadingMs: 500 })
      await engine.start()
      expect(engine.model).toBe('stub-model')
    })

    it('not where nothing listens, and not before it is told to stop', async () => {
      const { stub, engine } = await start()
      await stub[Symbol.asyncDispose]()
      await expect(engine.start()).rejects.toMatchObject({ code: 'engine-unreachable', message: expect.stringMatching(/nothing listens there/) })
      await expect(engine.ask(askOf('x'))).rejects.toMatchObject({ code: 'engine-unreachable' })
      const patient = engineOf({ url: stub.url, absentMs: 60_000 })
      await expect(patient.start(AbortSignal.timeout(100))).rejects.toMatchObject({ code: 'cancelled' })
    })

    it('not where something else than HTTP listens', async () => {
      const other = createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'))
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
      try {
        const engine = engineOf({ url: `http://127.0.0.1:${(other.address() as { port: number }).port}` })
        await expect(engine.start()).rejects.toMatchObject({ code: 'engine-refused', message: expect.stringMatching(/does not speak/) })
      } finally {
        other.close()
      }
    })
  })

  describe('tells its load', () => {
    it.each(['vllm', 'sglang', 'lmdeploy', 'llama-server'] as const)('as %s counts it', async (kind) => {
      const { engine } = await start({ kind, slots: 2, script: () => ({ text: '', loop: ' la' }) })
      await engine.start()
      const abort = new AbortController()
      const asked = Array.from({ length: 5 }, () => engine.ask(askOf('x', { maxTokens: 100_000 }), { signal: abort.signal }).catch(() => undefined))
      await expect.poll(() => engine.load()).toEqual({ running: 2, waiting: 3 })
      abort.abort()
      await Promise.all(asked)
    })

    it('not where the server has no metrics', async () => {
      for (const kind of ['openai', 'mlx', 'llama-server'] as const) {
        const { engine } = await start({ kind, hasMetrics: false })
        await engine.start()
        expect(await engine.load()).toBeUndefined()
        expect(await engine.load()).toBeUndefined()
      }
    })
  })
})
