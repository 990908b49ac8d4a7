import { afterEach, describe, expect, it } from 'vitest'
import type { Ask, VlmEngine } from '../../../src/runtime/vlm/engine.ts'
import { PagestreamError } from '../../../src/schema/failure.ts'

/** An engine that has not started, and questions that its model is known to answer. */
export interface EngineUnderTest {
  readonly engine: VlmEngine
  /** Answered by itself with `text`, of more than one token. */
  readonly short: { readonly ask: Ask; readonly text: string }
  /** Holds characters of several bytes. */
  readonly unicode: { readonly ask: Ask; readonly text: string }
  /** Goes on for thousands of tokens unless it is stopped. */
  readonly long: Ask
  /** Its picture cannot be decoded; undefined where the engine never sees undecodable bytes. */
  readonly broken?: Ask
  /** Lets go of what the test made, after the engine. */
  readonly close?: () => Promise<void>
}

const slotsFreeMs = 5000

const codeOf = async (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    () => 'answered',
    (error: unknown) => (error instanceof PagestreamError ? error.code : String(error)),
  )

/** What every engine promises, whatever its runtime. */
export function describeEngine(name: string, make: () => Promise<EngineUnderTest>): void {
  describe(`${name} keeps the contract of an engine`, () => {
    let made: EngineUnderTest | undefined

    const open = async (): Promise<EngineUnderTest> => {
      made = await make()
      await made.engine.start()
      return made
    }

    /** All slots answer a short question at once: none is held by what was given up. */
    const expectFreeSlots = async ({ engine, short }: EngineUnderTest): Promise<void> => {
      const begun = performance.now()
      const answers = await Promise.all(Array.from({ length: engine.slots }, () => engine.ask(short.ask)))
      expect(answers.every(({ text }) => text === short.text)).toBe(true)
      expect(performance.now() - begun).toBeLessThan(slotsFreeMs)
    }

    afterEach(async () => {
      await made?.engine[Symbol.asyncDispose]()
      await made?.close?.()
      made = undefined
    })

    it('knows its model and its slots once it has started', async () => {
      const { engine } = await open()
      expect(engine.model).not.toBe('')
      expect(engine.slots).toBeGreaterThan(0)
    })

    it('answers with the text, the counts and the times of the answer', async () => {
      const { engine, short } = await open()
      const answer = await engine.ask(short.ask)
      expect(answer).toMatchObject({ text: short.text, finish: 'stop' })
      expect(answer.promptTokens).toBeGreaterThan(0)
      expect(answer.outputTokens).toBeGreaterThan(1)
      expect(answer.firstTokenMs).toBeGreaterThan(0)
      expect(answer.totalMs).toBeGreaterThanOrEqual(answer.firstTokenMs)
    })

    it('lets the listener hear the answer in pieces of whole characters', async () => {
      const { engine, unicode } = await open()
      const pieces: string[] = []
      const answer = await engine.ask(unicode.ask, { listen: (piece) => void pieces.push(piece) as undefined })
      expect(answer.text).toBe(unicode.text)
      expect(pieces.join('')).toBe(unicode.text)
      expect(pieces.length).toBeGreaterThan(1)
      expect(pieces.filter((piece) => /[\ud800-\udbff]$|^[\udc00-\udfff]|\ufffd/.test(piece))).toEqual([])
    })

    it('ends at the limit of tokens and says so', async () => {
      const { engine, long } = await open()
      const answer = await engine.ask({ ...long, maxTokens: 12 })
      expect(answer.finish).toBe('length')
      expect(answer.outputTokens).toBe(12)
      expect(answer.text).not.toBe('')
    })

    it('stops when the listener has heard enough, gives what was heard and frees the slots', async () => {
      const under = await open()
      const stopped = await Promise.all(
        Array.from({ length: under.engine.slots }, async () => {
          const heard: string[] = []
          const answer = await under.engine.ask(under.long, { listen: (piece) => (heard.push(piece) >= 3 ? 'enough' : undefined) })
          expect(answer.text).toBe(heard.join(''))
          return answer.finish
        }),
      )
      expect(stopped.every((finish) => finish === 'stopped')).toBe(true)
      await expectFreeSlots(under)
    })

    it('frees the slots of questions that are given up', async () => {
      const under = await open()
      const abort = new AbortController()
      const asked = Array.from({ length: under.engine.slots }, () =>
        codeOf(under.engine.ask(under.long, { signal: abort.signal, listen: () => void setTimeout(() => abort.abort(), 20) as undefined })),
      )
      expect(new Set(await Promise.all(asked))).toEqual(new Set(['cancelled']))
      await expectFreeSlots(under)
    })

    it('does not ask what was given up before', async () => {
      const { engine, short } = await open()
      expect(await codeOf(engine.ask(short.ask, { signal: AbortSignal.abort() }))).toBe('cancelled')
    })

    it('answers as many questions at once as it has slots, and more one after another, each with its own answer', async () => {
      const { engine, short, unicode } = await open()
      const asked = Array.from({ length: engine.slots * 2 + 1 }, (_, index) => (index % 2 === 0 ? short : unicode))
      const answers = await Promise.all(asked.map(({ ask }) => engine.ask(ask)))
      expect(answers.map(({ text }) => text)).toEqual(asked.map(({ text }) => text))
    })

    it('says nothing of its load, or counts what it works on', async () => {
      const { engine, long } = await open()
      const abort = new AbortController()
      let hear: () => void = () => undefined
      const heard = new Promise<void>((resolve) => {
        hear = resolve
      })
      const asked = codeOf(engine.ask(long, { signal: abort.signal, listen: () => void hear() as undefined }))
      await heard
      const load = await engine.load()
      abort.abort()
      await asked
      if (load !== undefined) expect(load).toEqual({ running: 1, waiting: 0 })
    })

    it('refuses a picture that cannot be decoded, and goes on', async () => {
      const under = await open()
      if (under.broken === undefined) return
      expect(await codeOf(under.engine.ask(under.broken))).toBe('picture-refused')
      await expectFreeSlots(under)
    })
  })
}
