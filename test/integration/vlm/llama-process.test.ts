import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, copyFile, cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tempFolder } from '../../support/temp-folder.ts'
import { greedy, scriptAsk, type TinyLlama, tinyLlama } from '../../support/vlm/tiny-llama-engine.ts'

const found = await tinyLlama()
const missing = 'missing' in found ? found.missing : undefined
const tiny = found as TinyLlama

/** The library's folder, made of links but for one file that is a copy to be changed. */
async function changedLibrary(name: string, change: (path: string) => Promise<void>): Promise<string> {
  const folder = join(await tempFolder(), 'library')
  await mkdir(folder)
  for (const file of await readdir(tiny.library)) await symlink(join(tiny.library, file), join(folder, file))
  await rm(join(folder, name))
  await copyFile(join(tiny.library, name), join(folder, name))
  await change(join(folder, name))
  return folder
}

/** What is broken, its key of `vlm.engine`, how it is made, the code, and words of the message. */
type BrokenCase = readonly [string, 'library' | 'model' | 'projector', () => Promise<string>, string, string]

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe.skipIf(missing !== undefined)(`the process of llama.cpp${missing ? ` (needs ${missing})` : ''}`, () => {
  const json = () => scriptAsk(tiny, { mode: 'json', colour: 'none' })
  const loop = () => scriptAsk(tiny, { mode: 'loop', colour: 'none' }, { maxTokens: 900, decoding: greedy })

  it('fails the questions in hand when it is killed, and answers the next one', async () => {
    await using engine = tiny.engine({}, { slots: 2 })
    await engine.start()
    const { pid = 0 } = engine
    let pieces = 0
    const listen = (): undefined => {
      if (++pieces === 20) process.kill(pid, 'SIGKILL')
    }
    const given = [engine.ask(await loop(), { listen }), engine.ask(await loop()), engine.ask(await loop())]
    for (const answer of given) await expect(answer).rejects.toMatchObject({ code: 'engine-failed', message: expect.stringContaining('SIGKILL') })
    await expect(engine.ask(await json())).rejects.toMatchObject({ code: 'engine-unreachable' })
    await expect.poll(() => engine.facts).toBeDefined()
    expect((await engine.ask(await json())).text).toBe('{"kind":"title","level":1}')
    expect(engine.pid).not.toBe(pid)
  })

  it('stays down when it ends too often', async () => {
    await using engine = tiny.engine({ restarts: { most: 1, withinMs: 60_000, firstMs: 1, longestMs: 1 } })
    await engine.start()
    const kill = async (): Promise<void> => {
      const answer = engine.ask(await loop(), { listen: () => void process.kill(engine.pid ?? 0, 'SIGKILL') })
      await expect(answer).rejects.toMatchObject({ code: 'engine-failed' })
    }
    await kill()
    await expect.poll(() => engine.facts).toBeDefined()
    await kill()
    await expect(engine.ask(await json())).rejects.toMatchObject({ code: 'engine-refused', message: expect.stringContaining('has ended too often') })
  })

  it('is gone when the engine is disposed of, and what was in hand is cancelled', async () => {
    const engine = tiny.engine()
    await engine.start()
    const { pid = 0 } = engine
    const answer = engine.ask(await loop())
    answer.catch(() => undefined)
    await engine[Symbol.asyncDispose]()
    await expect(answer).rejects.toMatchObject({ code: 'cancelled' })
    expect(isAlive(pid)).toBe(false)
    await expect(engine.ask(await json())).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('ends while it is loading', async () => {
    const engine = tiny.engine()
    const abort = new AbortController()
    const start = engine.start(abort.signal)
    await expect.poll(() => engine.pid).toBeGreaterThan(0)
    const { pid = 0 } = engine
    abort.abort()
    await expect(start).rejects.toMatchObject({ code: 'cancelled' })
    expect(isAlive(pid)).toBe(false)
  })

  it('ends when the process that started it is killed', async () => {
    const owner = fork(new URL('../../support/vlm/llama-owner.mjs', import.meta.url), { env: { ...process.env, ENGINE: JSON.stringify(tiny.config()) } })
    const [pid] = (await once(owner, 'message')) as [number]
    expect(isAlive(pid)).toBe(true)
    owner.kill('SIGKILL')
    await expect.poll(() => isAlive(pid), { timeout: 5000 }).toBe(false)
  })

  it('has a limit of time for each start, the later ones too, and gives up when they all take longer', async () => {
    const folder = await tempFolder()
    const model = join(folder, 'tiny.gguf')
    await copyFile(tiny.config().model, model)
    const restarts = { most: 2, withinMs: 1, firstMs: 1, longestMs: 1 }
    await using engine = tiny.engine({ restarts }, { model, startMs: 3000 })
    await engine.start()
    // A pipe that nobody writes to: whoever loads it waits for ever.
    await rm(model)
    await promisify(execFile)('mkfifo', [model])
    process.kill(engine.pid ?? 0, 'SIGKILL')
    const asked = async () => engine.ask(await json()).catch(({ code }: { code: string }) => code)
    await expect.poll(asked, { timeout: 15_000, interval: 200 }).toBe('engine-refused')
  }, 20_000)

  it('has a limit of time for loading', async () => {
    const engine = tiny.engine({}, { startMs: 1 })
    await expect(engine.start()).rejects.toMatchObject({ code: 'engine-failed', message: expect.stringContaining('vlm.engine.startMs') })
  })

  it('takes another copy of a known commit when its structs are the same', async () => {
    const library = await changedLibrary('libllama.so', (path) => appendFile(path, '\0'))
    await using engine = tiny.engine({}, { library })
    await engine.start()
    expect((await engine.ask(await json())).outputTokens).toBe(16)
  })

  it('refuses an unknown build, and says which ones are known', async () => {
    const library = await changedLibrary('libggml-base.so', async (path) => {
      const bytes = await readFile(path)
      for (let at = bytes.indexOf('7e4c0a9\0'); at >= 0; at = bytes.indexOf('7e4c0a9\0')) bytes.write('0000000', at)
      await writeFile(path, bytes)
    })
    const changed = join(library, 'libmtmd.so')
    await rm(changed)
    await copyFile(join(tiny.library, 'libmtmd.so'), changed)
    await appendFile(changed, '\0')
    const start: Promise<void> = tiny.engine({}, { library }).start()
    await expect(start).rejects.toMatchObject({ code: 'engine-refused', message: expect.stringMatching(/commit 0000000.*known are 10434/) })
  })

  const cases: readonly BrokenCase[] = [
    ['a folder that is not there', 'library', async () => '/nowhere/at/all', 'engine-missing', 'libllama.so'],
    ['libraries that are none', 'library', () => changedLibrary('libmtmd.so', (path) => writeFile(path, 'none')), 'engine-missing', 'libmtmd.so'],
    ['a base library that is none', 'library', () => changedLibrary('libggml-base.so', (path) => writeFile(path, 'none')), 'engine-missing', 'libggml-base.so'],
    ['a model that is not there', 'model', async () => '/nowhere/model.gguf', 'engine-refused', '/nowhere/model.gguf'],
    ['a projector in place of the model', 'model', async () => tiny.config().projector, 'engine-refused', 'vlm.engine.model'],
    ['a model in place of the projector', 'projector', async () => tiny.config().model, 'engine-refused', 'vlm.engine.projector'],
    ['a model that is cut off', 'model', () => cut(tiny.config().model), 'engine-refused', 'vlm.engine.model'],
  ]

  it.each(cases)('says what is wrong with %s', async (_, key, make, code, words) => {
    const engine = tiny.engine({}, { [key]: await make() })
    onTestFinished(() => engine[Symbol.asyncDispose]())
    await expect(engine.start()).rejects.toMatchObject({ code, message: expect.stringContaining(words) })
  })

  it('says what to install where the package that calls the library is not there', async () => {
    const built = new URL('../../../dist/', import.meta.url)
    const folder = await tempFolder()
    for (const part of ['schema', 'runtime/vlm/engines/llama']) await cp(new URL(part, built), join(folder, part), { recursive: true })
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    const child = fork(join(folder, 'runtime/vlm/engines/llama/llama-child-worker.js'), { serialization: 'advanced', stdio: 'pipe' })
    onTestFinished(() => void child.kill('SIGKILL'))
    child.send({ kind: 'load', settings: { library: tiny.library } })
    const [message] = await once(child, 'message')
    expect(message).toMatchObject({ kind: 'refused', code: 'engine-missing', message: expect.stringContaining('npm install koffi@3.3.4') })
  })

  it('needs the paths of library, model and projector', () => {
    expect(() => tiny.engine({}, { library: '', projector: '' })).toThrow(/vlm\.engine\.library, vlm\.engine\.projector must be set/)
  })
})

async function cut(path: string): Promise<string> {
  const copy = join(await tempFolder(), 'cut.gguf')
  await writeFile(copy, (await readFile(path)).subarray(0, 1_000_000))
  return copy
}
