import type { EngineConfig } from '../../../../config/vlm-config.ts'
import { PagestreamError } from '../../../../schema/failure.ts'
import type { ManagedServer } from './managed-server.ts'
import { openServer, type ServerRequest } from './open-server.ts'
import { type ServerKind, serverKinds } from './server-plan.ts'

export interface ConfiguredServerRequest extends Pick<ServerRequest, 'family' | 'device' | 'env' | 'onNotice' | 'onRestart' | 'onExit'> {
  readonly engine: EngineConfig
}

/**
 * The server that a configuration with `vlm.engine.managed` names, not started: of its kind, `openai` takes the first that fits; at its address,
 * else on a free port that only this machine reaches. Rejects as `openServer` does.
 */
export async function openConfiguredServer(request: ConfiguredServerRequest): Promise<{ kind: ServerKind; server: ManagedServer }> {
  const { engine, onNotice } = request
  return openServer({ ...request, kind: wantedKind(engine), ...addressOf(engine.urls), ...(onNotice && { onProgress: onNotice }) })
}

function wantedKind({ kind }: EngineConfig): ServerKind | 'auto' {
  if (kind === 'openai') return 'auto'
  const known = serverKinds.find((each) => each === kind)
  if (known !== undefined) return known
  throw new PagestreamError('configuration', `vlm.engine.managed: ${kind} is no server; ${serverKinds.join(', ')} are, and openai takes the first that fits`)
}

function addressOf(urls: readonly string[]): Pick<ServerRequest, 'host' | 'portFor'> {
  const [url, more] = urls
  if (more !== undefined) throw new PagestreamError('configuration', 'vlm.engine.urls: a managed server has one address, or none for a free port')
  if (url === undefined) return { host: '127.0.0.1', portFor: () => 0 }
  const { hostname, port } = new URL(url)
  return { host: hostname.replace(/^\[|\]$/g, ''), portFor: () => Number(port) || 80 }
}
