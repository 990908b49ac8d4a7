import type { Device } from '../../../devices/device.ts'
import type { VlmFamily } from '../../page-reader.ts'

/** Servers that can be started and minded. */
export const serverKinds = ['vllm', 'sglang', 'lmdeploy', 'mlx', 'transformers', 'llama-server'] as const
export type ServerKind = (typeof serverKinds)[number]

/** Where each listens when nobody says otherwise. */
export const defaultPorts: Readonly<Record<ServerKind, number>> = {
  vllm: 8000,
  sglang: 30_000,
  lmdeploy: 23_333,
  mlx: 8080,
  transformers: 8000,
  'llama-server': 8080,
}

/** A server of this machine that can be started. */
export interface InstalledServer {
  readonly kind: ServerKind
  /** Path of the program. */
  readonly command: string
  /** What stands before all other arguments. */
  readonly prefix: readonly string[]
  /** Of the package; undefined where it is not known. */
  readonly version?: string
  /** Whether `mineru-vl-utils` is installed beside it; undefined where it is not known. */
  readonly hasMineruProcessor?: boolean
}

/** What is to be served, and on what. */
export interface ServerPlan {
  readonly family: VlmFamily
  /** A path, or a name that the server knows where to find. */
  readonly model: string
  /** Path of the projector (mmproj) file, for llama-server; empty for none. */
  readonly projector: string
  readonly host: string
  /** 0: any that is free, for llama-server, which tells it on its log. */
  readonly port: number
  readonly device: Pick<Device, 'kind' | 'memoryBytes' | 'computeCapability'>
  readonly platform: NodeJS.Platform
  /** Questions at once; 0 = what the server takes by itself, or the memory holds. */
  readonly slots: number
  /** Put behind all others: where one stands twice, the later one wins in each of these servers. */
  readonly arguments: readonly string[]
}

export interface ServerCommand {
  readonly command: string
  readonly arguments: readonly string[]
  /** To be set besides what is there. */
  readonly environment: Readonly<Record<string, string>>
}
