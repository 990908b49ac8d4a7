import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { systemCode } from '../../schema/reason.ts'

/** A part of a GPU that is used like a GPU of its own (MIG). */
export interface GpuPart {
  readonly uuid: string
  /** As NVIDIA names it: `1g.10gb`. */
  readonly profile: string
  readonly memoryBytes: number
}

export interface Gpu {
  readonly index: number
  readonly uuid: string
  readonly name: string
  readonly driver: string
  readonly memoryBytes: number
  readonly freeBytes: number
  readonly computeCapability?: number
  /** Where it is divided, programs get a part and never the whole. */
  readonly parts: readonly GpuPart[]
}

/** The GPUs of this machine; where there are none, why. */
export interface FoundGpus {
  readonly gpus: readonly Gpu[]
  readonly why?: string
}

type Environment = Readonly<Record<string, string | undefined>>

const run = promisify(execFile)
/** It takes some seconds where no daemon keeps the driver loaded. */
const answerMs = 20_000
const mostOutput = 1024 ** 2
const fields = ['index', 'uuid', 'name', 'driver_version', 'memory.total', 'memory.free', 'mig.mode.current', 'compute_cap']

/** Asks `nvidia-smi`, found by the PATH of the environment. Never rejects. */
export async function findGpus(env: Environment): Promise<FoundGpus> {
  try {
    const gpus = parseGpus(await ask([`--query-gpu=${fields.join(',')}`, '--format=csv,noheader,nounits'], env))
    if (gpus.length === 0) return { gpus, why: 'nvidia-smi lists none' }
    if (!gpus.some(({ divided }) => divided)) return { gpus }
    const parts = parseParts(await ask(['-L'], env))
    return { gpus: gpus.map((gpu) => ({ ...gpu, parts: parts.get(gpu.index) ?? [] })) }
  } catch (error) {
    return { gpus: [], why: whyNone(error) }
  }
}

const ask = async (args: readonly string[], env: Environment): Promise<string> =>
  (await run('nvidia-smi', args, { env: { ...env }, timeout: answerMs, maxBuffer: mostOutput })).stdout

function whyNone(error: unknown): string {
  if (systemCode(error) === 'ENOENT') return 'nvidia-smi is not installed, so no NVIDIA driver is'
  const { stdout, killed } = error as { stdout?: string; killed?: boolean }
  if (killed) return `nvidia-smi does not answer within ${answerMs / 1000} s`
  const said = typeof stdout === 'string' ? (stdout.trim().split('\n')[0] ?? '').slice(0, 200) : ''
  return said ? `nvidia-smi says: ${said}` : 'nvidia-smi fails'
}

/** Rows of the query above. Values that the driver does not know are in brackets (`[N/A]`). */
export function parseGpus(csv: string): (Gpu & { readonly divided: boolean })[] {
  return csv
    .split('\n')
    .map((line) => line.split(',').map((cell) => cell.trim()))
    .filter((cells) => cells.length >= fields.length && /^\d+$/.test(cells[0] ?? ''))
    .map((cells) => {
      // A name may hold a comma; all other columns are counted from the ends.
      const [capability = '', mig = '', free = '', total = '', driver = ''] = cells.slice(-5).reverse()
      const computeCapability = Number(capability)
      return {
        ...{ index: Number(cells[0]), uuid: cells[1] ?? '', name: cells.slice(2, -5).join(', '), driver },
        ...{ memoryBytes: mebibytes(total), freeBytes: mebibytes(free), parts: [], divided: mig === 'Enabled' },
        ...(computeCapability > 0 && { computeCapability }),
      }
    })
}

const mebibytes = (text: string): number => (Number(text) || 0) * 1024 ** 2

/** `nvidia-smi -L`: a line a GPU, indented ones for its parts. By the index of the GPU. */
export function parseParts(list: string): Map<number, GpuPart[]> {
  const parts = new Map<number, GpuPart[]>()
  let gpu: GpuPart[] = []
  for (const line of list.split('\n')) {
    const index = /^GPU (\d{1,3}):/.exec(line)?.[1]
    if (index !== undefined) {
      gpu = []
      parts.set(Number(index), gpu)
    }
    const part = /^\s+MIG (\S{1,40})\s.*\(UUID: (MIG-[^)\s]{1,120})\)/.exec(line)
    const [, profile = '', uuid = ''] = part ?? []
    const gigabytes = Number(/(\d{1,4})gb/.exec(profile)?.[1] ?? 0)
    if (part) gpu.push({ uuid, profile, memoryBytes: gigabytes * 1024 ** 3 })
  }
  return parts
}
