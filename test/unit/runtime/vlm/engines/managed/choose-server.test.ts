import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chooseServer } from '../../../../../../src/runtime/vlm/engines/managed/choose-server.ts'
import { findServers } from '../../../../../../src/runtime/vlm/engines/managed/find-servers.ts'
import { pythonOf } from '../../../../../../src/runtime/vlm/engines/managed/python-packages.ts'
import type { ServerPlan } from '../../../../../../src/runtime/vlm/engines/managed/server-plan.ts'
import { tempFolder } from '../../../../../support/temp-folder.ts'

const plan: ServerPlan = {
  ...{ family: 'mineru2.5', model: '/models/m', projector: '', host: '127.0.0.1', port: 0, platform: 'linux', slots: 0, arguments: [] },
  device: { kind: 'cuda', memoryBytes: 24e9, computeCapability: 8.9 },
}
const gguf = { ...plan, model: '/models/m.gguf', projector: '/models/p.gguf' }

/** A folder for the PATH with scripts as pip installs them, and a Python that knows these versions. */
async function installed(versions: Record<string, string>, scripts: readonly string[]): Promise<{ PATH: string; folder: string }> {
  const folder = await tempFolder()
  const program = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    chmodSync(join(folder, name), 0o755)
  }
  program('python3.11', `#!/bin/sh\necho '${JSON.stringify(versions)}'\n`)
  for (const script of scripts)
    program(script, script.startsWith('llama') ? '#!/bin/sh\necho "version: 10434 (abc)" >&2\n' : `#!${join(folder, 'python3.11')}\nimport sys\n`)
  return { PATH: folder, folder }
}

describe('findServers', () => {
  it('finds what is on the PATH with the versions that its Python knows, and starts none of it', async () => {
    const { folder, ...env } = await installed({ vllm: '0.21.0', sglang: '0.5.23', 'mineru-vl-utils': '1.0' }, ['vllm', 'sglang', 'llama-server-vulkan'])
    expect(await findServers(env)).toEqual([
      { kind: 'vllm', command: join(folder, 'vllm'), prefix: ['serve'], version: '0.21.0', hasMineruProcessor: true },
      { kind: 'sglang', command: join(folder, 'python3.11'), prefix: ['-m', 'sglang.launch_server'], version: '0.5.23' },
      { kind: 'llama-server', command: join(folder, 'llama-server-vulkan'), prefix: [], version: '10434' },
    ])
  })

  it('finds nothing where nothing is', async () => {
    expect(await findServers({ PATH: await tempFolder() })).toEqual([])
    expect(await findServers({})).toEqual([])
  })
})

describe('pythonOf', () => {
  it('reads the Python of a script, also where its path is too long or holds a blank', async () => {
    const folder = await tempFolder()
    writeFileSync(join(folder, 'short'), '#!/usr/bin/python3\n')
    writeFileSync(join(folder, 'long'), `#!/bin/sh\n'''exec' "/a b/bin/python3.12" "$0" "$@"\n' '''\n`)
    writeFileSync(join(folder, 'other'), '#!/bin/sh\necho\n')
    expect(await pythonOf(join(folder, 'short'))).toBe('/usr/bin/python3')
    expect(await pythonOf(join(folder, 'long'))).toBe('/a b/bin/python3.12')
    expect(await pythonOf(join(folder, 'other'))).toBeUndefined()
    expect(await pythonOf(join(folder, 'none'))).toBeUndefined()
  })
})

describe('chooseServer', () => {
  it('takes the first that fits the family, the model and the device', async () => {
    const env = await installed({ vllm: '0.21.0', lmdeploy: '0.11.0', 'mineru-vl-utils': '1.0' }, ['vllm', 'lmdeploy', 'llama-server'])
    expect((await chooseServer('auto', plan, env)).kind).toBe('vllm')
    expect((await chooseServer('auto', gguf, env)).kind).toBe('llama-server')
    expect((await chooseServer('lmdeploy', plan, env)).kind).toBe('lmdeploy')
  })

  it('passes over a version that does not run the family', async () => {
    const env = await installed({ vllm: '0.33.0', lmdeploy: '0.11.0', 'mineru-vl-utils': '1.0' }, ['vllm', 'lmdeploy'])
    expect((await chooseServer('auto', plan, env)).kind).toBe('lmdeploy')
  })

  it('says why what is installed does not fit, and what to install', async () => {
    const env = await installed({ vllm: '0.24.0' }, ['vllm'])
    const failure = chooseServer('auto', { ...plan, family: 'unlimited-ocr' }, env)
    await expect(failure).rejects.toMatchObject({ code: 'engine-missing' })
    await expect(failure).rejects.toThrow(/vllm 0\.24\.0 is too old for unlimited-ocr.*to install one: pip install "sglang\[all\]"/)
  })

  it('says how to get the one that is asked for', async () => {
    const env = { PATH: await tempFolder() }
    await expect(chooseServer('vllm', plan, env)).rejects.toThrow(/it is not installed; to install one: pip install "vllm>=0\.10\.1,<0\.22" mineru-vl-utils/)
    await expect(chooseServer('llama-server', gguf, env)).rejects.toThrow(/brew install llama\.cpp/)
    await expect(chooseServer('mlx', plan, env)).rejects.toThrow(/mlx does not run on an NVIDIA GPU/)
  })
})
