import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { vi } from 'vitest'
import { tryPort } from '../../src/runtime/processes/free-port.ts'
import { tempFolder } from './temp-folder.ts'

export const hasPrometheus = spawnSync('prometheus', ['--version']).status === 0

interface Vector {
  readonly data: { readonly result: readonly { readonly metric: Readonly<Record<string, string>>; readonly value: readonly [at: number, value: string] }[] }
}

/** A Prometheus that scrapes these ports of this machine each second. */
export async function startPrometheus(ports: readonly number[]) {
  const folder = await tempFolder()
  const port = await tryPort('127.0.0.1', 0)
  const targets = ports.map((each) => `127.0.0.1:${each}`)
  const config = { global: { scrape_interval: '1s', scrape_timeout: '1s' }, scrape_configs: [{ job_name: 'workers', static_configs: [{ targets }] }] }
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config))
  const flags = [`--config.file=${join(folder, 'prometheus.yml')}`, `--storage.tsdb.path=${join(folder, 'data')}`, `--web.listen-address=127.0.0.1:${port}`]
  const child = spawn('prometheus', flags, { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  const ready = async () => {
    if (!(await fetch(`${url}/-/ready`)).ok) throw new Error('it is not ready')
  }
  await vi.waitFor(ready, { timeout: 30_000, interval: 100 })
  /** Samples of an expression as it is now, each by the values of its labels, with blanks between them. */
  const query = async (expr: string): Promise<Record<string, number>> => {
    const answer = (await (await fetch(`${url}/api/v1/query?${new URLSearchParams({ query: expr })}`)).json()) as Vector
    return Object.fromEntries(answer.data.result.map(({ metric, value }) => [Object.values(metric).join(' '), Number(value[1])]))
  }
  return {
    query,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
