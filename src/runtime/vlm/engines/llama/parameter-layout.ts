/** A default that the library must report at an offset, before anything is changed there. */
export interface Canary {
  readonly offset: number
  readonly type: 'int32' | 'float32' | 'pointer' | 'bytes'
  /** Values from `offset` on; `marker`: the address of libmtmd's own marker text. */
  readonly values: readonly (number | 'marker')[]
}

/** What has to be known of a parameter struct that is otherwise opaque: its size, where fields are that we set, and what tells it from another one. */
export interface ParameterLayout<Field extends string> {
  readonly bytes: number
  /** Bytes from the start. */
  readonly offsets: Readonly<Record<Field, number>>
  readonly canaries: readonly Canary[]
}

export type ModelField = 'gpuLayers'
export type ContextField =
  | 'cells'
  | 'batch'
  | 'microBatch'
  | 'sequences'
  | 'threads'
  | 'batchThreads'
  | 'flashAttention'
  | 'keyType'
  | 'valueType'
  | 'offloadKv'
  | 'offloadOps'
  | 'unified'
export type ProjectorField = 'useGpu' | 'printTimings' | 'threads' | 'flashAttention' | 'warmup' | 'mostImageTokens'

/** The three structs that llama.cpp hands over by value. */
export interface ParameterLayouts {
  readonly model: ParameterLayout<ModelField>
  readonly context: ParameterLayout<ContextField>
  readonly projector: ParameterLayout<ProjectorField>
}

/** Parameter structs are passed as so many bytes whatever they are: the callee reads what it knows. */
export const blobBytes = 512

/**
 * Where a struct's defaults are not those of its layout, as short sentences; none: the layout fits. `written`: how many bytes the library filled,
 * undefined where that cannot be measured. Trailing padding of up to 7 bytes is not written.
 */
export function layoutProblems(
  name: string,
  layout: ParameterLayout<string>,
  defaults: { readonly bytes: Uint8Array; readonly written: number | undefined; readonly marker: bigint },
): string[] {
  const problems: string[] = []
  const { written } = defaults
  if (written !== undefined && (written > layout.bytes || written <= layout.bytes - 8)) {
    problems.push(`${name} parameters are ${written} bytes and not ${layout.bytes}`)
  }
  const view = new DataView(defaults.bytes.buffer, defaults.bytes.byteOffset, defaults.bytes.byteLength)
  for (const { offset, type, values } of layout.canaries) {
    if (!values.every((value, i) => holds(view, offset + i * widths[type], type, value === 'marker' ? defaults.marker : BigInt(value)))) {
      problems.push(`${name} parameters have other defaults from byte ${offset} on`)
    }
  }
  return problems
}

const widths = { int32: 4, float32: 4, pointer: 8, bytes: 1 } as const

function holds(view: DataView, offset: number, type: Canary['type'], value: bigint): boolean {
  if (offset + widths[type] > view.byteLength) return false
  if (type === 'pointer') return view.getBigUint64(offset, true) === value
  const found = type === 'int32' ? view.getInt32(offset, true) : type === 'float32' ? view.getFloat32(offset, true) : view.getUint8(offset)
  return found === Number(value)
}
