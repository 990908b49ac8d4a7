import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import sharp from 'sharp'
import { afterEach, describe, expect, it } from 'vitest'
import { dialectFor } from '../../../src/runtime/vlm/engines/http/dialects/dialect-for.ts'
import { HttpEngine } from '../../../src/runtime/vlm/engines/http/http-engine.ts'
import { mineruFamily } from '../../../src/runtime/vlm/families/mineru/mineru-family.ts'
import { teleOcr } from '../../../src/runtime/vlm/families/teleocr/teleocr.ts'
import { unlimitedOcr } from '../../../src/runtime/vlm/families/unlimited-ocr/unlimited-ocr.ts'
import { askOf, plainPicture } from '../../support/vlm/asks.ts'
import { colourScript, lengthScript } from '../../support/vlm/golden-scripts.ts'
import { blockAnswer, pageAnswer } from '../../support/vlm/page-grammars.ts'
import { scriptedPage } from '../../support/vlm/page-script.ts'
import { colouredPng, colourOf, placeOf } from '../../support/vlm/place-colours.ts'
import { quickStub, type StubOptions } from '../../support/vlm/stub-options.ts'
import { StubServer } from '../../support/vlm/stub-server.ts'

const times = { timeoutMs: 20_000, silenceMs: 5000, startMs: 5000, absentMs: 0 }
const open: AsyncDisposable[] = []

afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]()
})

async function engineOn(url: string, kind: StubOptions['kind'] = 'vllm'): Promise<HttpEngine> {
  const engine = new HttpEngine({ url, dialect: dialectFor('mineru2.5', kind), model: '', apiKeyFile: '', slots: 4, ...times })
  open.push(engine)
  await engine.start()
  return engine
}

async function start(options: Partial<StubOptions> = {}) {
  const stub = await StubServer.start({ ...quickStub, script: () => 'word '.repeat(100), ...options })
  open.push(stub)
  return { stub, engine: await engineOn(stub.url, stub.options.kind) }
}

describe('the stub of an engine', () => {
  it('reads prompts one after another, and decodes slower when many do', async () => {
    const speeds = { slots: 4, prefillTokensPerSecond: 2000, decodeTokensPerSecond: 500, totalDecodeTokensPerSecond: 600 }
    const { engine } = await start(speeds)
    const ask = askOf('x', { picture: plainPicture(280, 280) })
    const alone = await engine.ask(ask)
    const together = await Promise.all(Array.from({ length: 4 }, () => engine.ask(ask)))
    // 100 tokens of picture and some words: a twentieth of a second each.
    expect(alone.promptTokens).toBeGreaterThan(100)
    expect(alone.firstTokenMs).toBeGreaterThan(50)
    expect(Math.max(...together.map(({ firstTokenMs }) => firstTokenMs))).toBeGreaterThan(200)
    expect(Math.max(...together.map(({ totalMs, firstTokenMs }) => totalMs - firstTokenMs))).toBeGreaterThan((alone.totalMs - alone.firstTokenMs) * 1.2)
  })

  it('lets wait what finds no slot, and counts the seconds of its slots', async () => {
    const { engine, stub } = await start({ slots: 2, decodeTokensPerSecond: 500 })
    const answers = Array.from({ length: 5 }, () => engine.ask(askOf('x')))
    await expect.poll(() => stub.waiting).toBe(3)
    await Promise.all(answers)
    expect(stub.mostRunning).toBe(2)
    expect(stub.figures()).toMatchObject({ answered: 5, running: 0, waiting: 0, slots: 2, asked: 5 })
    expect(stub.busySeconds).toBeGreaterThan(0)
  })

  it('ends at 512 tokens as LMDeploy does where no limit is asked for', async () => {
    const { stub } = await start({
      kind: 'lmdeploy',
      script: () => ({ text: '', loop: ' la' }),
      decodeTokensPerSecond: 100_000,
      totalDecodeTokensPerSecond: 100_000,
    })
    const body = JSON.stringify({ model: 'stub-model', stream: true, stream_options: { include_usage: true }, messages: [{ role: 'user', content: 'x' }] })
    const answer = await fetch(`${stub.url}/v1/chat/completions`, { method: 'POST', body })
    expect(await answer.text()).toMatch(/"finish_reason":"length".*"completion_tokens":512/s)
  })

  it.each(['vllm', 'lmdeploy', 'llama-server', 'transformers'] as const)(
    'ends a loop where the guard of %s is asked for, and not where it is ignored',
    async (kind) => {
      const decoding = { ...askOf('x').decoding, noRepeat: { tokens: 100 } }
      const script = () => ({ text: 'Looping:', loop: ' la' })
      const guarded = await start({ kind, script })
      expect(await guarded.engine.ask(askOf('x', { decoding, maxTokens: 400 }))).toMatchObject({ finish: 'stop' })
      const ignored = await start({ kind, script, ignoresGuards: true })
      expect(await ignored.engine.ask(askOf('x', { decoding, maxTokens: 400 }))).toMatchObject({ finish: 'length' })
    },
  )

  it.each([
    [{ stripsSpecials: true }, '100 050 900 120title'],
    [{ wrongTemplate: true }, 'Sure! How can I help you with this picture today?'],
  ])('answers with %j as such a server does', async (quirk, text) => {
    const { engine } = await start({ kind: 'llama-server', script: () => '<|box_start|>100 050 900 120<|box_end|><|ref_start|>title<|ref_end|>', ...quirk })
    expect((await engine.ask(askOf('x'))).text).toBe(text)
  })

  describe('as a process', () => {
    let child: ChildProcess | undefined
    afterEach(() => {
      child?.kill('SIGKILL')
    })

    it('says where it listens, answers and ends when it is told to', async () => {
      child = spawn(process.execPath, ['test/support/vlm/run-stub.mjs', '--slots', '3', '--kind', 'llama-server', '--decode', '2000'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer]
      const url = /listening on (\S+)/.exec(`${line}`)?.[1] ?? ''
      const engine = new HttpEngine({ url, dialect: dialectFor('mineru2.5', 'llama-server'), model: '', apiKeyFile: '', slots: 0, ...times })
      open.push(engine)
      await engine.start()
      expect(engine.slots).toBe(3)
      const { text } = await engine.ask(askOf('\nLayout Detection:', { maxTokens: 4096 }))
      expect(mineruFamily.parseLayout(text).blocks).toHaveLength(13)
      expect(await (await fetch(`${url}/stub`)).json()).toMatchObject({ answered: 1, slots: 3 })
      child.kill('SIGTERM')
      expect(await once(child, 'exit')).toEqual([0, null])
    })
  })
})

describe('golden page scripts', () => {
  const pages = [scriptedPage(0), scriptedPage(1), scriptedPage(2)]

  it('are laid out as the families read them', () => {
    for (const page of pages) {
      const boxes = page.blocks.map(({ box }) => box.map((value) => value / 1000))
      const mineru = mineruFamily.parseLayout(pageAnswer('mineru2.5', page))
      expect(mineru).toMatchObject({ dropped: 0 })
      expect(mineru.blocks.map(({ box }) => box)).toEqual(boxes)
      const teleocr = teleOcr.parseLayout(pageAnswer('teleocr', page))
      expect(teleocr).toMatchObject({ dropped: 0 })
      expect(teleocr.blocks.map(({ type }) => type)).toEqual(page.blocks.map(({ kind }) => kind))
      const parser = unlimitedOcr.openParser()
      const unlimited = [...parser.push(pageAnswer('unlimited-ocr', page)), ...parser.end(false)]
      expect(unlimited.map(({ box }) => box)).toEqual(boxes)
      const texts = unlimited.map(({ content }) => content?.text ?? '')
      expect(texts[1]).toBe(page.blocks[1]?.text)
    }
  })

  it('name a page and a block by a colour', () => {
    for (const place of [
      { page: 0, block: 0 },
      { page: 255, block: 126 },
      { page: 77, block: undefined },
    ]) {
      expect(placeOf(colourOf(place))).toEqual(place)
    }
  })

  it('answer a question by the colours of its picture', async () => {
    const { engine } = await start({ script: colourScript('mineru2.5', pages) })
    const [width, height] = [600, 800]
    const page = Buffer.from(colouredPng(pages[2] ?? { blocks: [] }, 2, width, height))
    const sent = (bytes: Uint8Array) => ({ bytes, mediaType: 'image/png', width: 0, height: 0 }) as const
    const layout = await sharp(page).resize(1036, 1036, { fit: 'fill', kernel: 'cubic' }).png().toBuffer()
    expect((await engine.ask(askOf('\nLayout Detection:', { picture: sent(layout), maxTokens: 4096 }))).text).toBe(pageAnswer('mineru2.5', scriptedPage(2)))
    const block = scriptedPage(2).blocks[6]
    const [x0, y0, x1, y1] = block?.box ?? [0, 0, 0, 0]
    const region = { left: (x0 * width) / 1000, top: (y0 * height) / 1000, width: ((x1 - x0) * width) / 1000, height: ((y1 - y0) * height) / 1000 }
    const crop = await sharp(page).extract(region).png().toBuffer()
    expect(block?.kind).toBe('table')
    expect((await engine.ask(askOf('\nTable Recognition:', { picture: sent(crop), maxTokens: 4096 }))).text).toBe(block && blockAnswer(block))
  })

  it('have answers of plausible lengths by the prompt alone', async () => {
    const script = lengthScript('mineru2.5', 4)
    const request = { index: 0, system: undefined, pictures: [], maxTokens: 1, body: {}, authorization: undefined }
    expect(await script({ ...request, prompt: '\nLayout Detection:' })).toMatch(/^<\|box_start\|>/)
    expect(await script({ ...request, prompt: '\nTable Recognition:' })).toMatch(/^<fcel>/)
    expect(await script({ ...request, prompt: '\nFormula Recognition:' })).toMatch(/^\\\[/)
    expect(await script({ ...request, prompt: '\nText Recognition:' })).toMatch(/^[A-Z].*\.$/)
  })
})
