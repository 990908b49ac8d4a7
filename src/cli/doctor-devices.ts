import type { Config } from '../config/config.ts'
import { surroundingEnvironment } from '../config/places.ts'
import { findGpus } from '../runtime/devices/nvidia-smi.ts'
import { presentDevice } from '../runtime/devices/pin-device.ts'
import { missingProvider, providerBuild } from '../runtime/onnx/providers.ts'
import { toFailure } from '../schema/failure.ts'
import type { Finding } from './finding.ts'

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`

/** What models run on: the GPUs of this machine, the device that is chosen, what runs ONNX models. */
export async function deviceFindings(config: Config): Promise<Finding[]> {
  return [await gpus(), await device(config.device), ...(await providers(config.models.providers))]
}

async function gpus(): Promise<Finding> {
  const { gpus: found, why } = await findGpus(surroundingEnvironment())
  if (why !== undefined) return { about: 'GPU', state: 'absent', detail: `${why}; the default engines run on the processor` }
  const each = found.map((gpu) => {
    const parts = gpu.parts.length > 0 ? `, ${gpu.parts.length} parts` : ''
    return `cuda:${gpu.index} ${gpu.name}, ${gigabytes(gpu.freeBytes)} free of ${gigabytes(gpu.memoryBytes)}, driver ${gpu.driver}${parts}`
  })
  return { about: 'GPU', state: 'ok', detail: each.join('; ') }
}

async function device(name: string): Promise<Finding> {
  try {
    const found = await presentDevice(name)
    return { about: 'device', state: 'ok', detail: `${name === found.id ? '' : `${name}: `}${found.id}, ${found.name}` }
  } catch (error) {
    return { about: 'device', state: 'missing', detail: toFailure(error).message, fix: 'set device, or give the process the GPU' }
  }
}

async function providers(names: Config['models']['providers']): Promise<Finding[]> {
  const build = await providerBuild().catch(() => undefined)
  if (!build) return [] // that ONNX Runtime does not load is said by its own line
  return names.map((name) => {
    const missing = missingProvider(name, build)
    if (missing === undefined) return { about: `models on ${name}`, state: 'ok', detail: 'in this build of ONNX Runtime' }
    const [detail = '', fix = ''] = missing.split('; ')
    return { about: `models on ${name}`, state: 'missing', detail, fix }
  })
}
