import { PagestreamError } from '../../../../schema/failure.ts'
import { memoryShare, slotCells, slotsFor } from './memory-share.ts'
import type { InstalledServer, ServerCommand, ServerPlan } from './server-plan.ts'
import { unfit } from './unfit.ts'
import { versionBefore } from './version-before.ts'

/**
 * How a server is started for a family, by the recipes of the makers. Pure. Throws `configuration` where the server cannot run the family, the
 * model or on the device.
 */
export function serverCommand(server: InstalledServer, plan: ServerPlan): ServerCommand {
  const reason = unfit(server, plan)
  if (reason) throw new PagestreamError('configuration', `starting ${server.kind}: it ${reason}`)
  return {
    command: server.command,
    arguments: [...server.prefix, ...recipeOf(server, plan), ...plan.arguments],
    environment: environmentOf(server, plan),
  }
}

function recipeOf(server: InstalledServer, plan: ServerPlan): string[] {
  switch (server.kind) {
    case 'vllm':
      return vllm(plan)
    case 'sglang':
      return sglang(plan)
    case 'lmdeploy':
      return lmdeploy(plan)
    case 'mlx':
      return ['--model', plan.model, ...address(plan), ...sized('--max-num-seqs', plan.slots)]
    case 'transformers':
      return transformers(server, plan)
    case 'llama-server':
      return llamaServer(plan)
  }
}

const address = ({ host, port }: ServerPlan): string[] => ['--host', host, '--port', `${port}`]
const sized = (flag: string, size: number): string[] => (size > 0 ? [flag, `${size}`] : [])
const share = ({ family, device }: ServerPlan): string => `${memoryShare(family, device.memoryBytes)}`

/** One picture a question; memory for more, or for films, is not set aside. */
const onePicture = (family: ServerPlan['family']): string => JSON.stringify(family === 'unlimited-ocr' ? { image: 1 } : { image: 1, video: 0 })

function vllm(plan: ServerPlan): string[] {
  const shared = [plan.model, ...address(plan), '--gpu-memory-utilization', share(plan), '--limit-mm-per-prompt', onePicture(plan.family)]
  const slots = sized('--max-num-seqs', plan.slots)
  switch (plan.family) {
    case 'mineru2.5':
      return [...shared, ...slots, '--logits-processors', 'mineru_vl_utils:MinerULogitsProcessor']
    case 'unlimited-ocr': {
      const guard = ['--logits-processors', 'vllm.model_executor.models.unlimited_ocr:NGramPerReqLogitsProcessor']
      return [...shared, ...slots, '--trust-remote-code', ...guard, '--no-enable-prefix-caching', '--mm-processor-cache-gb', '0']
    }
    case 'teleocr':
      return [...shared, ...slots, '--trust-remote-code', '--max-model-len', '16384', '--logits-processors', 'mineru_vl_utils:MinerULogitsProcessor']
  }
}

function sglang(plan: ServerPlan): string[] {
  const shared = ['--model-path', plan.model, ...address(plan), '--mem-fraction-static', share(plan), '--enable-metrics']
  const slots = sized('--max-running-requests', plan.slots)
  if (plan.family !== 'unlimited-ocr') return [...shared, ...slots]
  const window = ['--attention-backend', 'fa3', '--page-size', '1', '--context-length', '32768']
  return [...shared, ...slots, ...window, '--enable-custom-logit-processor']
}

/** The PyTorch backend wants compute capability 8.0 and Linux. */
function lmdeploy(plan: ServerPlan): string[] {
  const old = plan.device.computeCapability !== undefined && plan.device.computeCapability < 8
  const backend = old || plan.platform === 'win32' ? 'turbomind' : 'pytorch'
  const listen = ['--server-name', plan.host, '--server-port', `${plan.port}`]
  return [plan.model, ...listen, '--backend', backend, '--cache-max-entry-count', '0.5', ...sized('--max-batch-size', plan.slots)]
}

/** Its model is an argument by itself since version 5. */
function transformers({ version }: InstalledServer, plan: ServerPlan): string[] {
  const model = version !== undefined && versionBefore(version, '5') ? ['--force-model', plan.model] : [plan.model]
  return [...model, ...address(plan), ...(plan.device.kind === 'cpu' ? ['--device', 'cpu'] : [])]
}

/**
 * `--alias`: the other servers too go by the model as it is named in the configuration. `--special`: without it layout markers are dropped without a trace. The cache of prompts in main memory is off: no two questions are alike.
 * MinerU2.5's pictures stay below 2048 tokens, as its makers' code keeps them. Unlimited-OCR is asked by a template that is built in and known by
 * its name only where Jinja is off; it loops without a penalty for repetition, and its parity was measured without flash attention.
 */
function llamaServer(plan: ServerPlan): string[] {
  const slots = plan.slots > 0 ? plan.slots : slotsFor(plan.family, plan.device)
  const shared = ['-m', plan.model, '--alias', plan.model, '--mmproj', plan.projector, ...address(plan), '-c', `${slots * slotCells}`, '-np', `${slots}`]
  const serving = ['--special', '--metrics', '--no-webui', '--cache-ram', '0']
  const device = plan.device.kind === 'cpu' ? ['--device', 'none', '-ngl', '0', '--no-mmproj-offload'] : ['-ngl', '999']
  if (plan.family !== 'unlimited-ocr') return [...shared, ...serving, ...device, '--image-max-tokens', '2048']
  const template = ['--no-jinja', '--chat-template', 'deepseek-ocr', '--temp', '0', '--flash-attn', 'off']
  const dry = ['--dry-multiplier', '0.8', '--dry-base', '1.75', '--dry-allowed-length', '35', '--dry-penalty-last-n', '128', '--dry-sequence-breaker', 'none']
  return [...shared, ...serving, ...device, ...template, ...dry]
}

/** Logs come as they are written, and nobody outside is told of the use. */
function environmentOf({ kind }: InstalledServer, { family }: ServerPlan): Record<string, string> {
  if (kind === 'llama-server') return {}
  const threads = kind === 'vllm' && family === 'mineru2.5' ? { OMP_NUM_THREADS: '1' } : {}
  return { PYTHONUNBUFFERED: '1', DO_NOT_TRACK: '1', ...(kind === 'vllm' && { VLLM_NO_USAGE_STATS: '1' }), ...threads }
}
