import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { llamaBuild } from './llama-build.ts'
import { tinyModel } from './tiny-model.ts'

/** A real llama-server with the tiny scripted model. */
export interface TinyLlamaServer {
  /** Without a slash at the end. */
  readonly url: string
  readonly pid: number
  /** Ends the process, at once where it does not end by itself. */
  close(): Promise<void>
}

export interface TinyLlamaServerOptions {
  /** Answers it works on at once. */
  readonly slots?: number
  /** False: layout markers are lost on the way, as from a server that was started without `--special`. */
  readonly special?: boolean
  /** Further arguments, for example `['--api-key', 'secret']`. */
  readonly arguments?: readonly string[]
}

const startMs = 60_000
const endMs = 3_000
const alias = 'tiny'
/** Of all slots together. */
const cells = 16_384
/** Spares time: a page then is 256 tokens and not 1369. */
const imageTokens = 256

/** Starts the server on a free port and waits until it is healthy. Answers with what is missing where it cannot: skip by that name. */
export async function startTinyLlamaServer(options: TinyLlamaServerOptions = {}): Promise<TinyLlamaServer | { readonly missing: string }> {
  const model = tinyModel()
  if ('missing' in model) return model
  const build = await llamaBuild()
  if ('missing' in build) return build
  const { slots = 4, special = true } = options
  const given = ['-m', model.model, '--mmproj', model.projector, '--host', '127.0.0.1', '--port', '0', '--alias', alias, '-c', `${cells}`, '-np', `${slots}`]
  const fixed = ['-t', '2', '--metrics', '--no-ui', '-cram', '0', '--image-max-tokens', `${imageTokens}`]
  const child = spawn(build.server, [...given, ...fixed, ...(special ? ['--special'] : []), ...(options.arguments ?? [])], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  try {
    const url = await address(child)
    await healthy(url, child)
    child.stderr.resume()
    return { url, pid: child.pid ?? 0, close: () => end(child) }
  } catch (cause) {
    await end(child)
    throw cause
  }
}

/** It says its port in its log, on standard error. */
function address(child: ChildProcess): Promise<string> {
  let log = ''
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`starting llama-server: no port after ${startMs} ms: ${log.slice(-2000)}`)), startMs)
    child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
      log = (log + piece).slice(-100_000)
      const found = /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(log)?.[1]
      if (found) {
        clearTimeout(timer)
        resolve(found)
      }
    })
    child.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`starting llama-server: it ended with code ${code}: ${log.slice(-2000)}`))
    })
  })
}

async function healthy(url: string, child: ChildProcess): Promise<void> {
  for (const deadlineMs = Date.now() + startMs; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const ok = await fetch(`${url}/health`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (ok) return
    if (child.exitCode !== null || Date.now() > deadlineMs) throw new Error('starting llama-server: it does not become healthy')
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill()
  const timer = setTimeout(() => child.kill('SIGKILL'), endMs)
  await exit
  clearTimeout(timer)
}
