import type { VlmFamily } from '../../page-reader.ts'
import type { InstalledServer, ServerKind, ServerPlan } from './server-plan.ts'
import { versionBefore } from './version-before.ts'

/** Families that a server can run, by the makers of both. */
const families: Readonly<Record<ServerKind, readonly VlmFamily[]>> = {
  vllm: ['mineru2.5', 'unlimited-ocr', 'teleocr'],
  sglang: ['mineru2.5', 'unlimited-ocr'],
  lmdeploy: ['mineru2.5'],
  mlx: ['mineru2.5', 'unlimited-ocr'],
  transformers: ['mineru2.5'],
  'llama-server': ['mineru2.5', 'unlimited-ocr'],
}

const devices: Readonly<Record<ServerKind, readonly ServerPlan['device']['kind'][]>> = {
  vllm: ['cuda'],
  sglang: ['cuda'],
  lmdeploy: ['cuda'],
  mlx: ['metal'],
  transformers: ['cuda', 'metal', 'cpu'],
  'llama-server': ['cuda', 'metal', 'cpu'],
}

/** Why a server cannot do what is planned, as the end of a sentence that begins with its name; undefined when it can. */
export function unfit({ kind, version, hasMineruProcessor }: InstalledServer, { family, device, model, projector }: ServerPlan): string | undefined {
  if (!families[kind].includes(family)) return `does not run ${family}`
  if (!devices[kind].includes(device.kind)) return `does not run on ${deviceNames[device.kind]}`
  const gguf = /\.gguf$/i.test(model)
  if (kind === 'llama-server' && !gguf) return 'takes a GGUF file as its model (vlm.engine.model)'
  if (kind === 'llama-server' && projector === '') return 'needs the projector of the model (vlm.engine.projector, a GGUF file with mmproj in its name)'
  if (kind !== 'llama-server' && gguf) return 'takes no GGUF file'
  if (kind === 'vllm' && family !== 'unlimited-ocr' && hasMineruProcessor === false) return 'needs the package mineru-vl-utils beside it, which stops loops'
  const range = version === undefined ? undefined : versionsOf(kind, family, device.computeCapability)
  if (version === undefined || !range) return undefined
  const [first, end] = range
  if (versionBefore(version, first)) return `${version} is too old for ${family}, it needs ${first}`
  return end !== undefined && !versionBefore(version, end) ? `${version} is too new for ${family}, it needs one before ${end}` : undefined
}

const deviceNames = { cpu: 'the processor', cuda: 'an NVIDIA GPU', metal: "Apple's GPU" } as const

/** The first version that runs a family and the first that does not any more. */
function versionsOf(kind: ServerKind, family: VlmFamily, computeCapability: number | undefined): readonly [string, string?] | undefined {
  if (kind === 'lmdeploy') return ['0.10.2', '0.12']
  if (kind !== 'vllm') return undefined
  switch (family) {
    case 'mineru2.5':
      return [computeCapability !== undefined && computeCapability < 8 ? '0.10.2' : '0.10.1', '0.22'] // mineru-vl-utils supports none after
    case 'unlimited-ocr':
      return ['0.25.0']
    case 'teleocr':
      return ['0.11.0', '0.11.1'] // the makers' plugin is pinned to it
  }
}
