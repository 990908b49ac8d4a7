import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const runner = fileURLToPath(new URL('../../test/support/vlm/run-stub.mjs', import.meta.url))
const answers = fileURLToPath(new URL('./page-answers.mjs', import.meta.url))

/**
 * The stub of an engine as a process, answering about the pages of block-pages.mjs. `speed`: `{ slots, decode, total, prefill }`, tokens a second, `decode`
 * of one slot. `record`: a file that the body of every question is appended to.
 */
export async function startStub({ slots, decode, total, prefill }, record) {
  const flags = { slots, decode, total, prefill, 'script-file': answers }
  const child = spawn(process.execPath, [runner, ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, `${value}`])], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...(record ? { BENCH_RECORD: record } : {}) },
  })
  const url = await new Promise((resolve, reject) => {
    child.stdout.on('data', (data) => {
      const found = /listening on (\S+)/.exec(`${data}`)
      if (found) resolve(found[1])
    })
    child.once('exit', (code) => reject(new Error(`the stub ended with ${code}`)))
  })
  const figures = async () => (await fetch(`${url}/stub`)).json()
  return {
    url,
    figures,
    /** Resolves with the time, in ms since 1970, at which it has answered another question. */
    async nextAnswer() {
      const { answered } = await figures()
      while ((await figures()).answered === answered) await new Promise((resolve) => setTimeout(resolve, 10))
      return Date.now()
    },
    close: () => child.kill(),
  }
}
