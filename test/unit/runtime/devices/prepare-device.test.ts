import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { fakeNvidiaSmi } from '../../../support/fake-nvidia-smi.ts'

const prepare = new URL('../../../../dist/runtime/devices/prepare-device.js', import.meta.url).href
const info = new URL('../../../../dist/runtime/devices/pin-device.js', import.meta.url).href
const config = new URL('../../../../dist/config/config.js', import.meta.url).href

/** In a process of its own: it is pinned once and for all. Answers with what its children and its threads see, and what it tells of its device. */
function prepared(
  settings: unknown,
  path = fakeNvidiaSmi([
    { index: 0, uuid: 'GPU-a', freeMiB: 1 },
    { index: 1, uuid: 'GPU-b' },
  ]),
) {
  const program = `
    import { execFileSync } from 'node:child_process'
    import { Worker } from 'node:worker_threads'
    import { prepareDevice } from ${JSON.stringify(prepare)}
    import { deviceInfo } from ${JSON.stringify(info)}
    import { configSchema } from ${JSON.stringify(config)}
    await prepareDevice(configSchema.parse(${JSON.stringify(settings)})).catch((error) => { console.log(JSON.stringify({ code: error.code, message: error.message })); process.exit() })
    const child = execFileSync(process.execPath, ['-p', 'process.env.CUDA_VISIBLE_DEVICES']).toString().trim()
    const thread = new Worker('require("node:worker_threads").parentPort.postMessage(process.env.CUDA_VISIBLE_DEVICES ?? "undefined")', { eval: true, execArgv: [] })
    thread.once('message', (seen) => console.log(JSON.stringify({ child, thread: seen, device: deviceInfo()?.id })))`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { env: { PATH: path }, encoding: 'utf8' })
  if (!stdout) throw new Error(stderr)
  return JSON.parse(stdout) as unknown
}

describe('prepareDevice', () => {
  it('pins children and threads of the process to the device of the configuration', () => {
    expect(prepared({ device: 'cuda:0' })).toEqual({ child: '0', thread: '0', device: 'cuda:0' })
    expect(prepared({ device: 'cpu' })).toEqual({ child: '-1', thread: '-1', device: 'cpu' })
  })

  it('chooses a device for a server that the process starts, and asks for none where nothing runs on one', () => {
    expect(prepared({ vlm: { family: 'mineru2.5', engine: { managed: true } } })).toMatchObject({ device: 'cuda:1' })
    expect(prepared({ vlm: { family: 'mineru2.5', engine: { urls: ['http://localhost:8000'] } } })).toEqual({ child: 'undefined', thread: 'undefined' })
    expect(prepared({})).toEqual({ child: 'undefined', thread: 'undefined' })
  })

  it('refuses a device that is not there and a provider that is not installed', () => {
    expect(prepared({ device: 'cuda:9' })).toMatchObject({ code: 'configuration', message: expect.stringContaining('cuda:9') })
    const missing = process.platform === 'darwin' ? 'dml' : 'coreml'
    expect(prepared({ models: { providers: [missing] } })).toMatchObject({ code: 'configuration', message: expect.stringContaining(missing) })
  })
})
