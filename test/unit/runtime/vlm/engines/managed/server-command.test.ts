import { describe, expect, it } from 'vitest'
import { memoryShare, slotsFor } from '../../../../../../src/runtime/vlm/engines/managed/memory-share.ts'
import { listenArguments } from '../../../../../../src/runtime/vlm/engines/managed/open-server.ts'
import { serverCommand } from '../../../../../../src/runtime/vlm/engines/managed/server-command.ts'
import type { InstalledServer, ServerKind, ServerPlan } from '../../../../../../src/runtime/vlm/engines/managed/server-plan.ts'
import { versionBefore } from '../../../../../../src/runtime/vlm/engines/managed/version-before.ts'

const gigabyte = 1e9
const gpu = { kind: 'cuda', memoryBytes: 24 * gigabyte, computeCapability: 8.9 } as const
const cpu = { kind: 'cpu', memoryBytes: 16 * gigabyte } as const
const mac = { kind: 'metal', memoryBytes: 32 * gigabyte } as const

const installed = (kind: ServerKind, more: Partial<InstalledServer> = {}): InstalledServer => ({ kind, command: `/bin/${kind}`, prefix: [], ...more })
const plan = (more: Partial<ServerPlan> = {}): ServerPlan => ({
  ...{ family: 'mineru2.5', model: '/models/m', projector: '', host: '127.0.0.1', port: 9000, device: gpu, platform: 'linux', slots: 0, arguments: [] },
  ...more,
})
const gguf = { model: '/models/m.gguf', projector: '/models/mmproj.gguf' }
const lineOf = (server: InstalledServer, more: Partial<ServerPlan> = {}) => serverCommand(server, plan(more)).arguments.join(' ')

describe('serverCommand', () => {
  it('starts vLLM for MinerU2.5 with its guard against loops, half of the memory, one picture', () => {
    const command = serverCommand(installed('vllm', { prefix: ['serve'] }), plan())
    expect(command.command).toBe('/bin/vllm')
    expect(command.arguments).toEqual([
      ...['serve', '/models/m', '--host', '127.0.0.1', '--port', '9000', '--gpu-memory-utilization', '0.5'],
      ...['--limit-mm-per-prompt', '{"image":1,"video":0}', '--logits-processors', 'mineru_vl_utils:MinerULogitsProcessor'],
    ])
    expect(command.environment).toMatchObject({ OMP_NUM_THREADS: '1' })
  })

  it('starts vLLM for Unlimited-OCR without caches of prefixes and pictures', () => {
    const line = lineOf(installed('vllm'), { family: 'unlimited-ocr' })
    expect(line).toContain('--trust-remote-code --logits-processors vllm.model_executor.models.unlimited_ocr:NGramPerReqLogitsProcessor')
    expect(line).toContain('--no-enable-prefix-caching --mm-processor-cache-gb 0')
    expect(line).toContain('--gpu-memory-utilization 0.8')
    expect(line).toContain('--limit-mm-per-prompt {"image":1}')
  })

  it("starts vLLM for TeleOCR as its makers' plugin wants it", () => {
    const line = lineOf(installed('vllm', { version: '0.11.0' }), { family: 'teleocr' })
    expect(line).toContain('--trust-remote-code --max-model-len 16384 --logits-processors mineru_vl_utils:MinerULogitsProcessor')
    expect(line).toContain('--gpu-memory-utilization 0.95')
  })

  it('starts SGLang for MinerU2.5 as the plain model that it is', () => {
    expect(lineOf(installed('sglang', { prefix: ['-m', 'sglang.launch_server'] }), { slots: 64 })).toBe(
      '-m sglang.launch_server --model-path /models/m --host 127.0.0.1 --port 9000 --mem-fraction-static 0.5 --enable-metrics --max-running-requests 64',
    )
  })

  it('starts SGLang for Unlimited-OCR with its window and processors of logits', () => {
    const line = lineOf(installed('sglang'), { family: 'unlimited-ocr' })
    expect(line).toContain('--attention-backend fa3 --page-size 1 --context-length 32768 --enable-custom-logit-processor')
    expect(line).toContain('--mem-fraction-static 0.8')
  })

  it('starts LMDeploy for MinerU2.5 on the backend that the GPU and the system allow', () => {
    expect(lineOf(installed('lmdeploy', { prefix: ['serve', 'api_server'] }), { slots: 32 })).toBe(
      'serve api_server /models/m --server-name 127.0.0.1 --server-port 9000 --backend pytorch --cache-max-entry-count 0.5 --max-batch-size 32',
    )
    expect(lineOf(installed('lmdeploy'), { device: { ...gpu, computeCapability: 7.5 } })).toContain('--backend turbomind')
    expect(lineOf(installed('lmdeploy'), { platform: 'win32' })).toContain('--backend turbomind')
  })

  it.each(['mineru2.5', 'unlimited-ocr'] as const)('starts mlx_vlm.server for %s', (family) => {
    expect(lineOf(installed('mlx'), { family, device: mac, slots: 4 })).toBe('--model /models/m --host 127.0.0.1 --port 9000 --max-num-seqs 4')
  })

  it('starts transformers for MinerU2.5, old and new', () => {
    expect(lineOf(installed('transformers', { prefix: ['serve'], version: '5.25.0' }))).toBe('serve /models/m --host 127.0.0.1 --port 9000')
    expect(lineOf(installed('transformers', { version: '4.57.1' }), { device: cpu })).toBe('--force-model /models/m --host 127.0.0.1 --port 9000 --device cpu')
  })

  it('starts llama-server for MinerU2.5 with special tokens and bounded pictures', () => {
    expect(lineOf(installed('llama-server'), { ...gguf, slots: 4 })).toBe(
      '-m /models/m.gguf --alias /models/m.gguf --mmproj /models/mmproj.gguf --host 127.0.0.1 --port 9000 -c 32768 -np 4 --special --metrics --no-webui --cache-ram 0 -ngl 999 --image-max-tokens 2048',
    )
    expect(lineOf(installed('llama-server'), { ...gguf, device: cpu })).toContain('--device none -ngl 0 --no-mmproj-offload')
  })

  it('starts llama-server for Unlimited-OCR with the template by name, greedy, with DRY', () => {
    const line = lineOf(installed('llama-server'), { ...gguf, family: 'unlimited-ocr', slots: 2 })
    expect(line).toContain('-c 16384 -np 2 --special')
    expect(line).toContain('--no-jinja --chat-template deepseek-ocr --temp 0 --flash-attn off')
    expect(line).toContain('--dry-multiplier 0.8 --dry-base 1.75 --dry-allowed-length 35 --dry-penalty-last-n 128 --dry-sequence-breaker none')
  })

  it('puts further arguments last, where they win', () => {
    const { arguments: args } = serverCommand(installed('vllm'), plan({ arguments: ['--gpu-memory-utilization', '0.3', '--port=1'] }))
    expect(args.slice(-3)).toEqual(['--gpu-memory-utilization', '0.3', '--port=1'])
  })

  it.each<[string, InstalledServer, Partial<ServerPlan>, RegExp]>([
    ['SGLang for TeleOCR', installed('sglang'), { family: 'teleocr' }, /does not run teleocr/],
    ['LMDeploy for Unlimited-OCR', installed('lmdeploy'), { family: 'unlimited-ocr' }, /does not run unlimited-ocr/],
    ['LMDeploy for TeleOCR', installed('lmdeploy'), { family: 'teleocr' }, /does not run teleocr/],
    ['MLX for TeleOCR', installed('mlx'), { family: 'teleocr', device: mac }, /does not run teleocr/],
    ['llama-server for TeleOCR', installed('llama-server'), { ...gguf, family: 'teleocr' }, /does not run teleocr/],
    ['transformers for Unlimited-OCR', installed('transformers'), { family: 'unlimited-ocr' }, /does not run unlimited-ocr/],
    ['vLLM on the processor', installed('vllm'), { device: cpu }, /does not run on the processor/],
    ['MLX on an NVIDIA GPU', installed('mlx'), {}, /does not run on an NVIDIA GPU/],
    ['llama-server without a GGUF file', installed('llama-server'), {}, /takes a GGUF file/],
    ['llama-server without a projector', installed('llama-server'), { model: '/m.gguf' }, /needs the projector/],
    ['vLLM with a GGUF file', installed('vllm'), gguf, /takes no GGUF file/],
    ['vLLM without the guard of MinerU2.5', installed('vllm', { hasMineruProcessor: false }), {}, /mineru-vl-utils/],
    ['vLLM before MinerU2.5', installed('vllm', { version: '0.10.0' }), {}, /too old/],
    ['vLLM before MinerU2.5 on old GPUs', installed('vllm', { version: '0.10.1' }), { device: { ...gpu, computeCapability: 7.5 } }, /needs 0.10.2/],
    ['vLLM after the guard of MinerU2.5', installed('vllm', { version: '0.22.0' }), {}, /too new/],
    ['vLLM before Unlimited-OCR', installed('vllm', { version: '0.24.1' }), { family: 'unlimited-ocr' }, /needs 0.25.0/],
    [
      'vLLM without the guard, which is TeleOCR’s too',
      installed('vllm', { version: '0.11.0', hasMineruProcessor: false }),
      { family: 'teleocr' },
      /mineru-vl-utils/,
    ],
    ['vLLM that TeleOCR is not pinned to', installed('vllm', { version: '0.12.0' }), { family: 'teleocr' }, /too new/],
    ['LMDeploy after MinerU2.5', installed('lmdeploy', { version: '0.18.0' }), {}, /too new/],
  ])('refuses %s', (_, server, more, reason) => {
    expect(() => serverCommand(server, plan(more))).toThrow(reason)
  })
})

describe('memory of a device', () => {
  it('is shared by family, more of a small card', () => {
    expect([8, 24, 80].map((size) => memoryShare('mineru2.5', size * gigabyte))).toEqual([0.7, 0.5, 0.5])
    expect([8, 24].map((size) => memoryShare('unlimited-ocr', size * gigabyte))).toEqual([0.9, 0.8])
  })

  it('decides the slots of llama-server, at least one and no more than pay', () => {
    expect(slotsFor('unlimited-ocr', { kind: 'cuda', memoryBytes: 8 * gigabyte })).toBe(4)
    expect(slotsFor('unlimited-ocr', { kind: 'cuda', memoryBytes: 24 * gigabyte })).toBe(32)
    expect(slotsFor('mineru2.5', { kind: 'cpu', memoryBytes: 64 * gigabyte })).toBe(4)
    expect(slotsFor('mineru2.5', { kind: 'cpu', memoryBytes: 1 * gigabyte })).toBe(1)
  })
})

describe('listenArguments', () => {
  it('finds the address among further arguments, the last one', () => {
    expect(listenArguments(['--port', '1', '--host=0.0.0.0', '--port=2'])).toEqual({ host: '0.0.0.0', port: 2 })
    expect(listenArguments(['--server-port', '3', '--server-name', 'here'])).toEqual({ host: 'here', port: 3 })
    expect(listenArguments(['--portable', '--port'])).toEqual({})
  })
})

describe('versionBefore', () => {
  it('compares numbers and not letters', () => {
    expect(versionBefore('0.9.2.post1', '0.10')).toBe(true)
    expect(versionBefore('0.10.0', '0.10')).toBe(false)
    expect(versionBefore('4.57.1', '5')).toBe(true)
  })
})
