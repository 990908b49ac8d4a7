import { execFile } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { fakeNvidiaSmi } from '../../support/fake-nvidia-smi.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const main = fileURLToPath(new URL('../../../dist/bundle/cli.js', import.meta.url))
const open: Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.close()
})

interface Finding {
  readonly about: string
  readonly state: string
  readonly detail: string
  readonly fix?: string
}

async function doctor(config: unknown, folders: readonly string[] = []) {
  const folder = await tempFolder()
  const file = join(folder, 'config.json')
  writeFileSync(file, JSON.stringify(config))
  const { code, stdout } = await new Promise<{ code: number; stdout: string }>((resolve) =>
    execFile(
      process.execPath,
      [main, 'doctor', '--json', '--config', file, '--out', folder],
      { env: { PATH: [...folders, folder].join(':'), HOME: folder } },
      (error, out) => resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout: out }),
    ),
  )
  const findings = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Finding)
  return { code, of: (about: string) => findings.find((each) => each.about.startsWith(about)) }
}

/** A server that has one model and answers with what an OpenAI server would. */
async function modelServer(id: string): Promise<string> {
  const server = createServer((request, response) => response.end(request.url === '/v1/models' ? JSON.stringify({ data: [{ id }] }) : '{}'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(server)
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('pagestream doctor', () => {
  it('names the GPUs, the device, and the servers that are installed', async () => {
    const programs = await tempFolder()
    writeFileSync(join(programs, 'python3.11'), `#!/bin/sh\necho '{"vllm":"0.21.0","mineru-vl-utils":null}'\n`)
    writeFileSync(join(programs, 'vllm'), `#!${join(programs, 'python3.11')}\n`)
    for (const name of ['python3.11', 'vllm']) chmodSync(join(programs, name), 0o755)
    const gpus = fakeNvidiaSmi([
      { index: 0, uuid: 'GPU-a', freeMiB: 100 },
      { index: 1, uuid: 'GPU-b' },
    ])
    const { code, of } = await doctor({}, [programs, gpus])
    expect(code).toBe(0)
    expect(of('GPU')).toMatchObject({ state: 'ok', detail: expect.stringContaining('cuda:1 NVIDIA L4') })
    expect(of('device')?.detail).toBe('auto: cuda:1, NVIDIA L4')
    expect(of('server vllm')).toMatchObject({ state: 'ok', detail: expect.stringContaining('0.21.0') })
    expect(of('server vllm')?.detail).toContain('mineru-vl-utils')
    expect(of('server sglang')).toMatchObject({ state: 'absent', fix: expect.stringContaining('pip install') })
  })

  it('asks the server of the configuration, and says what is wrong with it', async () => {
    const url = await modelServer('MinerU2.5-Pro')
    const right = await doctor({ vlm: { family: 'mineru2.5', engine: { kind: 'vllm', urls: [url] } } })
    expect(right.of(`model server ${url}`)).toMatchObject({ state: 'ok', detail: expect.stringContaining('MinerU2.5-Pro') })
    const wrong = await doctor({ vlm: { family: 'mineru2.5', engine: { kind: 'vllm', urls: [url, 'http://127.0.0.1:9'], model: 'other' } } })
    expect(wrong.code).toBe(1)
    expect(wrong.of(`model server ${url}`)).toMatchObject({ state: 'missing', detail: expect.stringContaining('has no model other') })
    expect(wrong.of('model server http://127.0.0.1:9')).toMatchObject({ state: 'missing', detail: expect.stringContaining('nothing listens there') })
  })

  it('says what a worker lacks: the server that it would start, a device, a provider', async () => {
    const managed = { family: 'mineru2.5', engine: { managed: true, model: '/m.gguf', projector: '/p.gguf' } }
    const { code, of } = await doctor({ vlm: managed, device: 'cuda:3', models: { providers: [process.platform === 'darwin' ? 'dml' : 'coreml'] } })
    expect(code).toBe(1)
    expect(of('device')).toMatchObject({ state: 'missing', detail: expect.stringContaining('nvidia-smi is not installed') })
    expect(of('models on')).toMatchObject({ state: 'missing' })
    expect(of('model server')).toMatchObject({ state: 'missing' })
    expect((await doctor({ vlm: managed })).of('model server')?.detail).toContain('brew install llama.cpp')
  })
})
