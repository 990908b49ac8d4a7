import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { configSchema } from '../../../src/config/config.ts'
import { packageRoot } from '../../../src/config/package-root.ts'
import { surroundingEnvironment } from '../../../src/config/places.ts'
import { LocalTextModel } from '../../../src/runtime/text-model/local-text-model.ts'
import { titleLevelsAsk, titleLevelsIn } from '../../../src/runtime/vlm/title-levels.ts'
import { documentSchema } from '../../../src/schema/document.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { llamaPackage } from '../../support/vlm/llama-package.ts'
import { RandomModel } from '../../support/vlm/random-model.ts'
import { tinyModel } from '../../support/vlm/tiny-model.ts'

const run = promisify(execFile)

const installed = await llamaPackage()
const tiny = tinyModel()
const missing = 'missing' in installed ? installed.missing : 'missing' in tiny ? tiny.missing : undefined
const folder = 'missing' in installed ? '' : installed.folder
const file = 'missing' in tiny ? '' : tiny.model

const configOf = (textModel: object) => configSchema.parse({ textModel: { file, package: folder, ...textModel } }).textModel
const never = new AbortController().signal
const titles = (count: number) => Array.from({ length: count }, (_, i) => ({ text: `Section ${i}`, sizePt: 12, pageNumber: i + 1 }))

describe('a text model that cannot start', () => {
  it('says what to install where the package is not there', async () => {
    await using model = new LocalTextModel(configOf({ file: import.meta.filename, package: await tempFolder() }))
    await expect(model.start()).rejects.toMatchObject({ code: 'engine-missing', message: expect.stringMatching(/npm install .*node-llama-cpp@3/) })
  })

  it('names the key of a file that is not there', async () => {
    await using model = new LocalTextModel(configOf({ file: '/nowhere/model.gguf' }))
    await expect(model.start()).rejects.toMatchObject({ code: 'configuration', message: expect.stringContaining('textModel.file') })
  })
})

describe.skipIf(missing !== undefined)(`node-llama-cpp with a tiny model${missing === undefined ? '' : ` (needs ${missing})`}`, () => {
  const model = new LocalTextModel(configOf({}))
  beforeAll(() => model.start(), 120_000)
  afterAll(() => model[Symbol.asyncDispose]())

  it('is held to the levels of all headings, whatever it would say', async () => {
    const answers = await Promise.all([2, 30].map((count) => model.askText(titleLevelsAsk(titles(count)), never)))
    expect(answers.map(({ text }, i) => titleLevelsIn(text, [2, 30][i] ?? 0)?.length)).toEqual([2, 30])
    for (const { finish, promptTokens, outputTokens, firstTokenMs, totalMs } of answers) {
      expect(finish).toBe('stop')
      expect(promptTokens).toBeGreaterThan(50)
      expect(outputTokens).toBeGreaterThan(8)
      expect(totalMs).toBeGreaterThan(firstTokenMs)
    }
  }, 60_000)

  it('ends its answer at the limit of tokens', async () => {
    const answer = await model.askText({ ...titleLevelsAsk(titles(30)), maxTokens: 5 }, never)
    expect(answer).toMatchObject({ finish: 'length', outputTokens: 5 })
  }, 60_000)

  it('refuses what is longer than its context, and answers the next question', async () => {
    const ask = titleLevelsAsk(titles(2))
    await expect(model.askText({ ...ask, prompt: 'x'.repeat(40_000) }, never)).rejects.toMatchObject({ code: 'picture-refused' })
    await expect(model.askText({ ...ask, prompt: 'x'.repeat(600_000) }, never)).rejects.toMatchObject({ code: 'picture-refused' })
    expect(titleLevelsIn((await model.askText(ask, never)).text, 2)).toHaveLength(2)
  }, 60_000)

  it('ends a question that nobody waits for any more or that takes too long, and answers the next one', async () => {
    const stop = new AbortController()
    const given = model.askText(titleLevelsAsk(titles(300)), stop.signal)
    setTimeout(() => stop.abort(), 200)
    await expect(given).rejects.toMatchObject({ code: 'cancelled' })
    expect(titleLevelsIn((await model.askText(titleLevelsAsk(titles(2)), never)).text, 2)).toHaveLength(2)

    await using hasty = new LocalTextModel(configOf({ timeoutMs: 1500 }))
    await hasty.start()
    await expect(hasty.askText(titleLevelsAsk(titles(300)), never)).rejects.toMatchObject({ code: 'engine-timeout' })
    expect(titleLevelsIn((await hasty.askText(titleLevelsAsk(titles(2)), never)).text, 2)).toHaveLength(2)
  }, 120_000)

  it('fails the question in hand when its process dies, and answers the next one', async () => {
    const pending = model.askText(titleLevelsAsk(titles(300)), never)
    setTimeout(() => model.pid !== undefined && process.kill(model.pid, 'SIGKILL'), 200)
    await expect(pending).rejects.toMatchObject({ code: 'engine-failed' })
    expect(titleLevelsIn((await model.askText(titleLevelsAsk(titles(2)), never)).text, 2)).toHaveLength(2)
  }, 60_000)

  it('refuses a file that is no model', async () => {
    const path = join(await tempFolder(), 'none.gguf')
    await writeFile(path, 'no model')
    await using none = new LocalTextModel(configOf({ file: path }))
    await expect(none.start()).rejects.toMatchObject({ code: 'engine-refused' })
  }, 60_000)

  it('takes a model without any training, as the grammar alone makes its answer whole', async () => {
    const path = join(await tempFolder(), 'random.gguf')
    await writeFile(path, new RandomModel(file, 7).file)
    await using random = new LocalTextModel(configOf({ file: path }))
    await random.start()
    expect(titleLevelsIn((await random.askText(titleLevelsAsk(titles(5)), never)).text, 5)).toHaveLength(5)
  }, 60_000)
})

describe.skipIf(missing !== undefined)(`headings of a document that no model reads${missing === undefined ? '' : ` (need ${missing})`}`, () => {
  const cli = join(packageRoot(), 'dist/bundle/cli.js')
  const env = { ...surroundingEnvironment(), PAGESTREAM_TEXT_MODEL__FILE: file, PAGESTREAM_TEXT_MODEL__PACKAGE: folder }

  it('have the levels that the text model tells, by the command as it is installed', async () => {
    const levels = async (environment: NodeJS.ProcessEnv) => {
      const out = await tempFolder()
      await run(process.execPath, [cli, 'parse', join(packageRoot(), 'samples/paper.pdf'), '--out', out, '--format', 'json'], { env: environment })
      const { flags, blocks } = documentSchema.parse(JSON.parse(await readFile(join(out, 'paper.pdf/document.json'), 'utf8')))
      expect(flags).toEqual([])
      return new Set(blocks.flatMap(({ kind, level }) => (kind === 'heading' ? [level] : [])))
    }
    expect(await levels(surroundingEnvironment())).toEqual(new Set([1, 2, 3]))
    // Held to levels, the tiny model says that all are of the first.
    expect(await levels(env)).toEqual(new Set([1]))
  }, 120_000)

  it('are announced by doctor', async () => {
    const { stdout } = await run(process.execPath, [cli, 'doctor', '--json'], { env }).catch((error: { stdout: string }) => error)
    const finding = stdout.split('\n').find((line) => line.includes('text model'))
    expect(JSON.parse(finding ?? '{}')).toMatchObject({ state: 'ok', detail: expect.stringContaining('answers') })
  }, 120_000)
})
