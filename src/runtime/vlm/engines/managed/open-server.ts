import type { EngineConfig } from '../../../../config/vlm-config.ts'
import { PagestreamError } from '../../../../schema/failure.ts'
import { type Device, deviceEnvironment } from '../../../devices/device.ts'
import type { VlmFamily } from '../../page-reader.ts'
import { chooseServer } from './choose-server.ts'
import { ManagedServer, type ManagedServerOptions } from './managed-server.ts'
import { serverCommand } from './server-command.ts'
import type { ServerKind, ServerPlan } from './server-plan.ts'

export interface ServerRequest extends Pick<ManagedServerOptions, 'onNotice' | 'onRestart' | 'onProgress' | 'onLog' | 'onExit'> {
  readonly family: VlmFamily
  readonly kind: ServerKind | 'auto'
  readonly engine: Pick<EngineConfig, 'model' | 'projector' | 'slots' | 'startMs' | 'arguments'>
  readonly device: Device
  /** Of this process. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly host: string
  /** 0: any that is free. */
  readonly portFor: (kind: ServerKind) => number
}

/**
 * Finds the server that is asked for and makes it ready to be started, alone with its device.
 * Rejects with `engine-missing` where nothing fits, with `configuration` where no model is named.
 */
export async function openServer(request: ServerRequest): Promise<{ kind: ServerKind; server: ManagedServer }> {
  const { family, engine, device, env, host } = request
  if (engine.model === '') throw new PagestreamError('configuration', `starting a server for ${family}: vlm.engine.model names no model`)
  const own = listenArguments(engine.arguments)
  const plan: ServerPlan = {
    ...{ family, model: engine.model, projector: engine.projector, host: own.host ?? host, port: 0 },
    ...{ device, platform: process.platform, slots: engine.slots, arguments: engine.arguments },
  }
  const installed = await chooseServer(request.kind, plan, env)
  const { kind } = installed
  const port = own.port ?? request.portFor(kind)
  const { command, environment } = serverCommand(installed, plan)
  const server = new ManagedServer({
    ...{ name: kind, command, host: plan.host, port, startMs: engine.startMs },
    argumentsFor: (given) => serverCommand(installed, { ...plan, port: given }).arguments,
    environment: { ...env, ...environment, ...deviceEnvironment(device) },
    ...(kind === 'llama-server' && { portInLog: /listening on https?:\/\/[^\s:]{1,200}:(\d{1,5})/ }),
    ...(request.onNotice && { onNotice: request.onNotice }),
    ...(request.onProgress && { onProgress: request.onProgress }),
    ...(request.onLog && { onLog: request.onLog }),
    ...(request.onRestart && { onRestart: request.onRestart }),
    ...(request.onExit && { onExit: request.onExit }),
  })
  return { kind, server }
}

/** Further arguments win, so where they name the address, that is where the server will be. */
export function listenArguments(args: readonly string[]): { readonly host?: string; readonly port?: number } {
  const found: { host?: string; port?: number } = {}
  args.forEach((argument, index) => {
    const [, flag, inline] = /^--(host|port|server-name|server-port)(?:=(.*))?$/.exec(argument) ?? []
    const value = inline ?? args[index + 1]
    if (flag === undefined || value === undefined) return
    if (flag.endsWith('port')) found.port = Number(value) || 0
    else found.host = value
  })
  return found
}
