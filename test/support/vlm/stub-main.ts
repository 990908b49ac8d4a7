import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { VlmFamily } from '../../../src/runtime/vlm/page-reader.ts'
import { colourScript, lengthScript } from './golden-scripts.ts'
import { scriptedPage } from './page-script.ts'
import { type StubKind, type StubScript, stubKinds } from './stub-options.ts'
import { StubServer } from './stub-server.ts'

const families: readonly VlmFamily[] = ['mineru2.5', 'teleocr', 'unlimited-ocr']

const endMarks: Readonly<Record<VlmFamily, string>> = {
  'mineru2.5': '<|im_end|>',
  teleocr: '<|im_end|>',
  'unlimited-ocr': '<\uff5cend\u2581of\u2581sentence\uff5c>',
}

const { values } = parseArgs({
  options: {
    kind: { type: 'string', default: 'vllm' },
    family: { type: 'string', default: 'mineru2.5' },
    model: { type: 'string', default: 'stub-model' },
    script: { type: 'string', default: 'lengths' },
    'script-file': { type: 'string' },
    pages: { type: 'string', default: '64' },
    slots: { type: 'string', default: '16' },
    port: { type: 'string', default: '0' },
    prefill: { type: 'string', default: '20000' },
    decode: { type: 'string', default: '200' },
    total: { type: 'string', default: '3000' },
    'chunk-tokens': { type: 'string', default: '1' },
  },
})

function oneOf<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((each) => each === value)
  if (found === undefined) throw new Error(`--${name} is one of ${allowed.join(', ')}`)
  return found
}

const kind: StubKind = oneOf('kind', values.kind, stubKinds)
const family = oneOf('family', values.family, families)
const scriptName = oneOf('script', values.script, ['lengths', 'colours'])
const pages = Number(values.pages)

/** `--script-file`: a module that exports `script`. */
async function scriptOf(file: string | undefined): Promise<StubScript> {
  if (file !== undefined) return ((await import(pathToFileURL(resolve(file)).href)) as { script: StubScript }).script
  if (scriptName === 'lengths') return lengthScript(family, pages)
  return colourScript(
    family,
    Array.from({ length: pages }, (_, index) => scriptedPage(index)),
  )
}

const stub = await StubServer.start(
  {
    kind,
    script: await scriptOf(values['script-file']),
    model: values.model,
    slots: Number(values.slots),
    prefillTokensPerSecond: Number(values.prefill),
    decodeTokensPerSecond: Number(values.decode),
    totalDecodeTokensPerSecond: Number(values.total),
    chunkTokens: Number(values['chunk-tokens']),
    endMark: endMarks[family],
  },
  { port: Number(values.port), mostKept: 0 },
)
process.stdout.write(`listening on ${stub.url}\n`)
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    void stub[Symbol.asyncDispose]().then(() => process.exit(0))
  })
}
