import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const script = (name) => fileURLToPath(new URL(`./workers/${name}`, import.meta.url))

/** A process that answers each request `{ files, … }` with `{ wallMs, cpuMs, characters }`: one line of JSON each way. */
export class Contender {
  #child
  #lines
  #complaints = ''

  constructor(name, program, args, env = {}) {
    this.name = name
    this.#child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...env } })
    this.#child.stderr.on('data', (data) => {
      this.#complaints = `${this.#complaints}${data}`.slice(-2000)
    })
    this.#child.on('error', (error) => {
      this.#complaints += error.message
    })
    this.#child.stdin.on('error', () => {})
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]()
  }

  /** Rejects when the process ends, answers with an error or takes longer than the limit (it is then killed). */
  async ask(request, timeoutMs = 600_000) {
    this.#child.stdin.write(`${JSON.stringify(request)}\n`)
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), timeoutMs)
    try {
      for (;;) {
        const { value, done } = await this.#lines.next()
        if (done) throw new Error(`${this.name} ended: ${this.#complaints.trim().slice(-500)}`)
        // Peers may write to stdout themselves; an answer begins with the mark.
        if (!value.startsWith('answer ')) continue
        const answer = JSON.parse(value.slice('answer '.length))
        if (answer.error) throw new Error(`${this.name}: ${answer.error}`)
        return answer
      }
    } finally {
      clearTimeout(timer)
    }
  }

  close() {
    this.#child.stdin.end()
    this.#child.kill()
  }
}

export const nodeContender = (name, kind, npmFolder) => new Contender(name, process.execPath, [script('node-worker.mjs'), kind, npmFolder ?? ''])
/** The bare loop that vlm-efficiency compares with. */
export const controlContender = () => new Contender('control', process.execPath, [script('vlm-control.mjs')])
export const mineruContender = (python) => new Contender('mineru-vl-utils', python, [script('mineru_client.py')])
export const pythonContender = (name, kind, python) => new Contender(name, python, [script('python_worker.py'), kind])
