import { cpus, totalmem } from 'node:os'
import { PagestreamError } from '../../schema/failure.ts'
import { type Device, parseDevice } from './device.ts'
import { type FoundGpus, findGpus, type Gpu, type GpuPart } from './nvidia-smi.ts'

export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly arch: string
}

/**
 * The device that a text names. `auto` is the GPU, or the part of one, with the most free memory among those that CUDA_VISIBLE_DEVICES lets through;
 * on a Mac with Apple's processor its GPU; else the processor. Rejects with `configuration` for what is no name of a device or is not there.
 */
export async function findDevice(text: string, machine: Machine): Promise<Device> {
  const request = parseDevice(text)
  if (request.kind === 'cpu') return processor()
  if (request.kind === 'auto' && machine.platform === 'darwin') return machine.arch === 'arm64' ? metal() : processor()
  const found = await findGpus(machine.env)
  switch (request.kind) {
    case 'auto':
      return freest(found.gpus, machine.env.CUDA_VISIBLE_DEVICES) ?? processor()
    case 'index': {
      const gpu = found.gpus.find(({ index }) => index === request.index)
      if (!gpu) throw notThere(text, found)
      return whole(gpu)
    }
    case 'uuid': {
      const device = byUuid(found.gpus, request.uuid)
      if (!device) throw notThere(text, found)
      return device
    }
  }
}

const processorName = (): string => cpus()[0]?.model.trim() || process.arch

const processor = (): Device => ({ kind: 'cpu', id: 'cpu', name: processorName(), driver: '', memoryBytes: totalmem() })
const metal = (): Device => ({ kind: 'metal', id: 'metal', name: processorName(), driver: '', memoryBytes: totalmem() })

const whole = (gpu: Gpu, id = `cuda:${gpu.index}`): Device => ({
  ...{ kind: 'cuda', id, name: gpu.name, driver: gpu.driver, memoryBytes: gpu.memoryBytes },
  ...(gpu.computeCapability !== undefined && { computeCapability: gpu.computeCapability }),
})

const part = (gpu: Gpu, { uuid, profile, memoryBytes }: GpuPart): Device => ({
  ...whole(gpu, uuid),
  name: `${gpu.name} ${profile}`,
  memoryBytes: memoryBytes || gpu.memoryBytes,
})

/** CUDA takes the beginning of a UUID for the whole where only one begins so. */
function byUuid(gpus: readonly Gpu[], uuid: string): Device | undefined {
  const matches = gpus.flatMap((gpu) => [
    ...(gpu.uuid.startsWith(uuid) ? [whole(gpu, gpu.uuid)] : []),
    ...gpu.parts.filter((each) => each.uuid.startsWith(uuid)).map((each) => part(gpu, each)),
  ])
  return matches.length === 1 ? matches[0] : undefined
}

function freest(gpus: readonly Gpu[], visible: string | undefined): Device | undefined {
  const candidates = gpus.flatMap((gpu) =>
    gpu.parts.length > 0
      ? gpu.parts.map((each) => ({ device: part(gpu, each), freeBytes: Math.min(each.memoryBytes, gpu.freeBytes), names: [each.uuid] }))
      : [{ device: whole(gpu), freeBytes: gpu.freeBytes, names: [`${gpu.index}`, gpu.uuid] }],
  )
  const allowed = visible?.split(',').map((word) => word.trim())
  return candidates
    .filter(
      ({ names }) => !allowed || allowed.some((word) => word !== '' && names.some((name) => name === word || (word.includes('-') && name.startsWith(word)))),
    )
    .sort((a, b) => b.freeBytes - a.freeBytes)[0]?.device
}

function notThere(text: string, { gpus, why }: FoundGpus): PagestreamError {
  const there = gpus.flatMap((gpu) => [`cuda:${gpu.index} (${gpu.name}, ${gpu.uuid})`, ...gpu.parts.map(({ uuid, profile }) => `${uuid} (${profile})`)])
  const rest = why ?? `there are ${there.slice(0, 64).join(', ')}`
  return new PagestreamError('configuration', `choosing the device ${text}: it is not there; ${rest}`)
}
