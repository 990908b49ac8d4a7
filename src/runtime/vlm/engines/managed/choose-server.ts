import { PagestreamError } from '../../../../schema/failure.ts'
import { findServers } from './find-servers.ts'
import { installHint } from './install-hint.ts'
import type { InstalledServer, ServerKind, ServerPlan } from './server-plan.ts'
import { unfit } from './unfit.ts'

/** Fastest first. */
const preferred: readonly ServerKind[] = ['vllm', 'sglang', 'lmdeploy', 'mlx', 'llama-server', 'transformers']

/**
 * The installed server that is asked for, or for `auto` the first that fits the family, the model and the device.
 * Rejects with `engine-missing`, which says why each of those that are there does not fit and what would.
 */
export async function chooseServer(wanted: ServerKind | 'auto', plan: ServerPlan, env: Readonly<Record<string, string | undefined>>): Promise<InstalledServer> {
  const kinds = wanted === 'auto' ? preferred : [wanted]
  const installed = await findServers(env, kinds)
  const fitting = installed.find((server) => unfit(server, plan) === undefined)
  if (fitting) return fitting
  const reasons = installed.map((server) => `${server.kind} ${unfit(server, plan)}`)
  const useful = kinds.filter((kind) => !installed.some((server) => server.kind === kind) && !unfit({ kind, command: '', prefix: [] }, plan))
  const hints = useful.map((kind) => installHint(kind, plan.family))
  const action = wanted === 'auto' ? `starting a server for ${plan.family}` : `starting ${wanted} for ${plan.family}`
  const none = wanted === 'auto' ? 'none is installed that fits' : 'it is not installed'
  const said = [reasons.length > 0 ? reasons.join('; ') : none, ...(hints.length > 0 ? [`to install one: ${hints.join(', or ')}`] : [])]
  if (reasons.length === 0 && hints.length === 0) said.push(...kinds.map((kind) => `${kind} ${unfit({ kind, command: '', prefix: [] }, plan)}`))
  throw new PagestreamError('engine-missing', `${action}: ${said.join('; ')}`)
}
