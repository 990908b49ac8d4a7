import { PagestreamError } from '../../schema/failure.ts'

/** A device as a person names it. */
export type DeviceRequest =
  | { readonly kind: 'auto' }
  | { readonly kind: 'cpu' }
  /** As `nvidia-smi` numbers it. */
  | { readonly kind: 'index'; readonly index: number }
  /** Of a GPU (`GPU-…`) or of a part of one (`MIG-…`). */
  | { readonly kind: 'uuid'; readonly uuid: string }

/** What models run on, found on this machine. */
export interface Device {
  readonly kind: 'cpu' | 'cuda' | 'metal'
  /** `cpu`, `metal`, `cuda:1`, `GPU-…`, `MIG-…`: names it again. */
  readonly id: string
  /** For people: `NVIDIA H200`. */
  readonly name: string
  /** Version of the driver, empty where there is none. */
  readonly driver: string
  /** Of the whole device; of the machine for `cpu` and `metal`. */
  readonly memoryBytes: number
  /** CUDA's compute capability, 8.9 for an L4; undefined where it is not known. */
  readonly computeCapability?: number
}

/** Reads `cpu`, `auto`, `cuda:N` or a UUID. Throws `configuration`. */
export function parseDevice(text: string): DeviceRequest {
  const word = text.trim()
  if (word === 'auto' || word === 'cpu') return { kind: word }
  const index = /^cuda:(\d{1,3})$/.exec(word)?.[1]
  if (index !== undefined) return { kind: 'index', index: Number(index) }
  if (/^(?:GPU|MIG)-[\w/-]{4,120}$/.test(word)) return { kind: 'uuid', uuid: word }
  throw new PagestreamError('configuration', `choosing a device: "${word}" is none; cpu, auto, cuda:N (as nvidia-smi numbers them), GPU-… and MIG-… are`)
}

/**
 * What a process must have in its environment, before it loads any library, to see this device alone. A GPU is then the first and only one:
 * sessions and servers that take "device 0" are on it, whatever its number is.
 */
export function deviceEnvironment({ kind, id }: Pick<Device, 'kind' | 'id'>): Readonly<Record<string, string>> {
  if (kind === 'metal') return {}
  const visible = kind === 'cpu' ? '-1' : id.replace(/^cuda:/, '')
  return { CUDA_DEVICE_ORDER: 'PCI_BUS_ID', CUDA_VISIBLE_DEVICES: visible } // by bus, as nvidia-smi does: CUDA's own order is by speed
}
