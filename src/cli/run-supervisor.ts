import { spawn } from 'node:child_process'
import { loadConfig } from '../config/load-config.ts'
import { surroundingEnvironment } from '../config/places.ts'
import { restartsEnvironment } from '../config/process-environment.ts'
import { type Device, deviceEnvironment } from '../runtime/devices/device.ts'
import { findDevice } from '../runtime/devices/find-device.ts'
import type { RestartLimits } from '../runtime/processes/restart-budget.ts'
import { PagestreamError } from '../schema/failure.ts'
import { openLog } from '../telemetry/log/open-log.ts'
import { redacted } from '../telemetry/log/redact.ts'
import { Supervisor } from '../worker/supervisor.ts'
import { usageError } from './usage-error.ts'
import type { WorkerFlags } from './worker-command.ts'

export interface SupervisorSurroundings {
  /** The script that a worker is started with; the command line itself when absent. */
  readonly script?: string
  readonly restarts?: RestartLimits
}

/**
 * `pagestream worker --devices 0,1`: a worker process for each device. It sees its own alone, answers probes on `worker.port` plus its place in
 * the list, and drains when this process is gone. Rejects with `configuration`.
 */
export async function runSupervisor(flags: WorkerFlags, names: readonly string[], { script = process.argv[1] ?? '', restarts }: SupervisorSurroundings = {}) {
  if (flags.device !== undefined) return usageError('--device and --devices: only one of them')
  const config = loadConfig({ file: flags.config })
  const devices = await distinctDevices(names)
  const port = flags.port ?? config.worker.port
  const write = (line: string) => process.stderr.write(`${line}\n`)
  const opened = await openLog(config.log, { component: 'worker', write })
  const { log } = opened
  const supervisor = new Supervisor({
    processes: devices.map((device, index) => ({
      name: device.id,
      start: (restarts) =>
        spawn(process.execPath, [...process.execArgv, script, ...workerArguments(flags, device, port > 0 ? port + index : 0)], {
          env: { ...surroundingEnvironment(), ...deviceEnvironment(device), ...restartsEnvironment(restarts) },
          stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
          detached: true,
        }),
    })),
    onLine: (name, line) => write(config.log.format === 'json' ? lineOfDevice(name, line) : `[${name}] ${line}`),
    onNotice: (text, level, device) => log({ level, text, device }),
    drainMs: config.worker.drainMs,
    ...(restarts && { restarts }),
  })
  let told = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      log({ level: 'info', text: told ? 'ending at once' : 'draining all workers; a second signal ends at once' })
      if (told) supervisor.endNow()
      else supervisor.drain()
      told = true
    })
  }
  const code = await supervisor.run()
  opened[Symbol.dispose]()
  return code
}

/** A worker's line of JSON says also which device it has; what a library prints by itself becomes one. */
export function lineOfDevice(device: string, line: string): string {
  const own = JSON.stringify({ device })
  if (/^\{".*\}$/.test(line)) return `${own.slice(0, -1)},${line.slice(1)}`
  return JSON.stringify({ level: 'info', time: new Date().toISOString(), component: 'worker', device, msg: redacted(line) })
}

/** `0` is short for `cuda:0`. Rejects with `configuration` for a device that is not there or stands twice. */
async function distinctDevices(names: readonly string[]): Promise<Device[]> {
  const machine = { env: surroundingEnvironment(), platform: process.platform, arch: process.arch }
  const devices: Device[] = []
  for (const name of names) {
    const device = await findDevice(/^\d+$/.test(name) ? `cuda:${name}` : name, machine)
    if (devices.some(({ id }) => id === device.id)) throw new PagestreamError('configuration', `--devices: ${device.id} stands there twice`)
    devices.push(device)
  }
  return devices
}

const workerArguments = ({ stage, lane, config }: WorkerFlags, device: Device, port: number): string[] => [
  ...['worker', '--stage', stage.join(','), '--lane', lane, '--device', device.id, '--port', `${port}`],
  ...(config === undefined ? [] : ['--config', config]),
]
