import { loadConfig } from '../config/load-config.ts'
import { surroundingEnvironment } from '../config/places.ts'
import type { EngineConfig } from '../config/vlm-config.ts'
import { findDevice } from '../runtime/devices/find-device.ts'
import { openHttpEngine } from '../runtime/vlm/engines/http/open-http-engine.ts'
import type { ManagedServer } from '../runtime/vlm/engines/managed/managed-server.ts'
import { openServer } from '../runtime/vlm/engines/managed/open-server.ts'
import { defaultPorts, type ServerKind } from '../runtime/vlm/engines/managed/server-plan.ts'
import type { VlmFamily } from '../runtime/vlm/page-reader.ts'
import type { EngineFlags } from './engine-command.ts'
import { reportFailure } from './report-failure.ts'
import { shown } from './terminal-text.ts'
import { usageError } from './usage-error.ts'

const lookEveryMs = 250

/** Runs `pagestream engine serve` until a signal or a fault ends it; answers with the exit code. */
export async function runEngineServe(further: readonly string[], flags: EngineFlags): Promise<number> {
  const overrides = {
    device: flags.device,
    vlm: {
      family: flags.family,
      engine: { model: flags.model, projector: flags.projector, slots: flags.slots, ...(further.length > 0 && { arguments: further }) },
    },
  }
  const config = loadConfig({ file: flags.config, overrides })
  const { family, engine } = config.vlm
  if (family === 'none') return usageError('--family: which family the model is of is not said, here or in vlm.family')
  const told = signals()
  const say = (line: string) => process.stderr.write(`${shown(line)}\n`)
  let fell: (code: number) => void = () => {}
  const fallen = new Promise<number>((resolve) => {
    fell = resolve
  })
  try {
    const env = surroundingEnvironment()
    const device = await findDevice(config.device, { env, platform: process.platform, arch: process.arch })
    const { kind, server } = await openServer({
      ...{ family, kind: flags.engine, engine, device, env, host: flags.host },
      portFor: (chosen) => flags.port ?? defaultPorts[chosen],
      onLog: say,
      onNotice: (line) => say(`pagestream engine: ${line}`),
      onExit: (error) => fell(reportFailure(error)),
    })
    await using minded = server
    say(`pagestream engine: starting ${kind} for ${family} on ${device.name === '' ? device.id : `${device.id} (${device.name})`}`)
    await minded.start(told.drain)
    const code = await Promise.race([fallen, told.drained.then(() => 0)])
    if (code === 0) await drain(minded, family, kind, engine, config.worker.drainMs)
    return code
  } catch (error) {
    return told.drain.aborted ? 0 : reportFailure(error)
  }
}

/** Waits until the server has nothing in hand, as far as it tells, and no longer than it may take. */
async function drain(server: ManagedServer, family: VlmFamily, kind: ServerKind, engine: EngineConfig, drainMs: number): Promise<void> {
  const { url } = server
  if (url === undefined) return
  await using asking = await openHttpEngine(family, kind, engine, [url])
  for (const end = Date.now() + drainMs; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, lookEveryMs))) {
    const load = await asking.load().catch(() => undefined)
    if (!load || load.running + load.waiting === 0) return
  }
}

/** The first signal drains, the second ends at once; the server then ends with this process. */
function signals(): { readonly drain: AbortSignal; readonly drained: Promise<void> } {
  const abort = new AbortController()
  const drained = new Promise<void>((resolve) => abort.signal.addEventListener('abort', () => resolve(), { once: true }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (abort.signal.aborted) process.exit(130)
      process.stderr.write('draining; a second signal ends at once\n')
      abort.abort()
    })
  }
  return { drain: abort.signal, drained }
}
