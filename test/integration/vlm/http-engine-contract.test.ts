import { dialectFor } from '../../../src/runtime/vlm/engines/http/dialects/dialect-for.ts'
import { HttpEngine } from '../../../src/runtime/vlm/engines/http/http-engine.ts'
import { ReplicaSet } from '../../../src/runtime/vlm/engines/http/replica-set.ts'
import type { VlmFamily } from '../../../src/runtime/vlm/page-reader.ts'
import { askOf } from '../../support/vlm/asks.ts'
import { describeEngine, type EngineUnderTest } from '../../support/vlm/engine-contract.ts'
import { quickStub, type StubKind, type StubScript, stubKinds } from '../../support/vlm/stub-options.ts'
import { StubServer } from '../../support/vlm/stub-server.ts'

const texts: Readonly<Record<string, string>> = { short: 'A red heading', unicode: '绿色 grün \u{1f33f}\u{1f331} ok' }

const script: StubScript = ({ prompt }) => {
  const word = prompt.replace('<image>', '')
  return texts[word] ?? { text: 'Looping:', loop: ' la' }
}

const ends: Readonly<Record<VlmFamily, string>> = {
  'mineru2.5': '<|im_end|>',
  teleocr: '<|im_end|>',
  'unlimited-ocr': '<\uff5cend\u2581of\u2581sentence\uff5c>',
}

function engineOn(stub: StubServer, family: VlmFamily): HttpEngine {
  const times = { timeoutMs: 20_000, silenceMs: 5000, startMs: 5000, absentMs: 0 }
  return new HttpEngine({ url: stub.url, dialect: dialectFor(family, stub.options.kind), model: stub.options.model, apiKeyFile: '', slots: 4, ...times })
}

const startStub = (kind: StubKind, family: VlmFamily): Promise<StubServer> => StubServer.start({ ...quickStub, kind, script, endMark: ends[family] })

const questions: Omit<EngineUnderTest, 'engine'> = {
  short: { ask: askOf('short'), text: texts.short ?? '' },
  unicode: { ask: askOf('unicode'), text: texts.unicode ?? '' },
  long: askOf('long', { maxTokens: 100_000 }),
  broken: askOf('short', { picture: { bytes: Buffer.from('not a picture'), mediaType: 'image/png', width: 8, height: 8 } }),
}

const isAble = (family: VlmFamily, kind: StubKind): boolean => {
  try {
    return dialectFor(family, kind) !== undefined
  } catch {
    return false
  }
}

for (const family of ['mineru2.5', 'teleocr', 'unlimited-ocr'] as const) {
  for (const kind of stubKinds.filter((each) => isAble(family, each))) {
    describeEngine(`${family} on ${kind}`, async () => {
      const stub = await startStub(kind, family)
      return { engine: engineOn(stub, family), ...questions, close: () => stub[Symbol.asyncDispose]() }
    })
  }
}

describeEngine('a set of two servers', async () => {
  const stubs = await Promise.all([startStub('vllm', 'mineru2.5'), startStub('vllm', 'mineru2.5')])
  const close = async () => {
    await Promise.all(stubs.map((stub) => stub[Symbol.asyncDispose]()))
  }
  return { engine: new ReplicaSet(stubs.map((stub) => engineOn(stub, 'mineru2.5'))), ...questions, close }
})
