import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Config } from '../../src/config/config.ts'
import { cacheFolder } from '../../src/config/places.ts'
import { tryPort } from '../../src/runtime/processes/free-port.ts'

const run = promisify(execFile)

/** An S3 server in Python that honours conditional writes. */
const server = 'moto'
const wanted = 'moto[s3,server]==5.2.5'
const installMs = 400_000
const startMs = 60_000

export interface S3Server {
  /** Configuration of a bucket of its own. */
  bucket(): Promise<Config['store'] & { readonly bucket: string }>
  close(): void
}

/** It looks whether an object is there and then writes; real servers do both in one. So one request is served after the other. */
const start = `
import sys, threading
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import run_simple
app, lock = DomainDispatcherApplication(create_backend_app), threading.Lock()
def one_by_one(environ, respond):
    with lock:
        return app(environ, respond)
run_simple('127.0.0.1', int(sys.argv[1]), one_by_one, threaded=True)
`

/** Starts the server; installs it from PyPI below the cache folder where the system's Python has none. Answers with what is missing where it cannot. */
export async function startS3Server(): Promise<S3Server | { readonly missing: string }> {
  const python = await findPython()
  if (!python) return { missing: `Python 3 with ${server}, or a package index that has ${wanted}` }
  const port = await tryPort('127.0.0.1', 0)
  const process_ = spawn(python, ['-c', start, `${port}`], { stdio: 'ignore' })
  const endpoint = `http://127.0.0.1:${port}`
  for (const deadlineMs = Date.now() + startMs; !(await answers(endpoint)); ) {
    if (Date.now() > deadlineMs || process_.exitCode !== null) {
      process_.kill()
      return { missing: `${server}: it is installed and does not start` }
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' })
  return {
    async bucket() {
      const bucket = `b-${randomUUID()}`
      const made = await fetch(`${endpoint}/${bucket}`, { method: 'PUT' })
      if (!made.ok) throw new Error(`making a bucket: the server answers ${made.status}`)
      return { url: `s3://${bucket}/some/prefix`, endpoint, region: 'us-east-1', pathStyle: true, bucket }
    },
    close: () => void process_.kill(),
  }
}

async function findPython(): Promise<string | undefined> {
  const folder = join(cacheFolder(), 'test-tools', 'moto-5.2.5')
  const own = join(folder, 'bin', 'python')
  for (const python of ['python3', own]) if (await hasServer(python)) return python
  try {
    if (!existsSync(own)) await run('python3', ['-m', 'venv', folder], { timeout: installMs })
    await run(own, ['-m', 'pip', 'install', '--quiet', wanted], { timeout: installMs })
    return own
  } catch {
    return undefined
  }
}

const hasServer = (python: string): Promise<boolean> =>
  run(python, ['-c', 'import moto, moto.server; assert tuple(map(int, moto.__version__.split(".")[:2])) >= (5, 2)'], { timeout: startMs }).then(
    () => true,
    () => false,
  )

const answers = (endpoint: string): Promise<boolean> =>
  fetch(endpoint).then(
    () => true,
    () => false,
  )
