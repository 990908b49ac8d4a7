import { PagestreamError } from '../../../../schema/failure.ts'
import type { Address } from './koffi-library.ts'
import type { LlamaSettings } from './llama-protocol.ts'
import type { LlamaLibrary } from './load-library.ts'
import { ParameterBlob } from './parameter-blob.ts'
import { type PromptForm, promptForm } from './prompt-form.ts'

/** A model, its projector and one context, in a process that has nothing else to do: they live until it ends. */
export interface LoadedModel {
  readonly library: LlamaLibrary
  readonly architecture: string
  readonly form: PromptForm
  readonly vocabulary: Address
  readonly vocabularySize: number
  readonly context: Address
  readonly memory: Address
  readonly projector: Address
  /** Written tokens that are kept; 0: all. */
  readonly window: number
  readonly sequences: number
  /** As the library has rounded them. */
  readonly cells: number
  readonly batch: number
  /** That it was trained on: prompt and answer together. */
  readonly positions: number
}

const batchTokens = 512
const types = { float32: 0, float16: 1 } as const
const flashOff = 0

/**
 * Loads the files. With a window everything is as exact as a reference without rounding demands: sums of values in 32 bits and no flash attention;
 * else the library's own settings serve. Throws `engine-refused` where the library takes a file or setting not; it tells why on standard error.
 */
export function loadModel(library: LlamaLibrary, settings: LlamaSettings): LoadedModel {
  const { llama } = library
  const parameters = new ParameterBlob(library.build.layouts.model, llama.llama_model_default_params())
  if (!settings.gpu) parameters.int32('gpuLayers', 0)
  const model = llama.llama_model_load_from_file(settings.model, parameters.blob)
  if (model === null) throw new PagestreamError('engine-refused', 'loading the model: the library does not take the file of vlm.engine.model')
  const architecture = architectureOf(library, model)
  const form = promptForm(architecture)
  const window = windowOf(library, model, form, settings)
  const context = openContext(library, model, settings, { cells: settings.cells ?? form.cells, exact: window > 0 })
  const projector = openProjector(library, model, settings, { imageTokens: settings.imageTokens ?? form.imageTokens, exact: window > 0 })
  const vocabulary = llama.llama_model_get_vocab(model)
  return {
    library,
    architecture,
    form,
    vocabulary,
    vocabularySize: llama.llama_vocab_n_tokens(vocabulary),
    context,
    memory: llama.llama_get_memory(context),
    projector,
    window,
    sequences: settings.slots,
    cells: llama.llama_n_ctx_seq(context),
    batch: llama.llama_n_batch(context),
    positions: llama.llama_model_n_ctx_train(model),
  }
}

/** A library that has a window of its own drops cells itself: twice would be too many. */
function windowOf({ llama }: LlamaLibrary, model: Address, form: PromptForm, settings: LlamaSettings): number {
  return llama.llama_model_n_swa(model) === 0 ? (settings.window ?? form.window) : 0
}

function architectureOf({ llama }: LlamaLibrary, model: Address): string {
  const text = new Uint8Array(256)
  const bytes = llama.llama_model_meta_val_str(model, 'general.architecture', text, text.length)
  return bytes > 0 ? Buffer.from(text.subarray(0, Math.min(bytes, text.length - 1))).toString('utf8') : ''
}

function openContext(library: LlamaLibrary, model: Address, settings: LlamaSettings, { cells, exact }: { cells: number; exact: boolean }): Address {
  const { llama } = library
  const parameters = new ParameterBlob(library.build.layouts.context, llama.llama_context_default_params())
    .int32('cells', cells * settings.slots)
    .int32('batch', Math.min(batchTokens, cells))
    .int32('microBatch', Math.min(batchTokens, cells))
    .int32('sequences', settings.slots)
    .int32('threads', settings.threads)
    .int32('batchThreads', settings.threads)
    .flag('unified', false)
  if (exact) parameters.int32('flashAttention', flashOff).int32('keyType', types.float16).int32('valueType', types.float32)
  if (!settings.gpu) parameters.flag('offloadKv', false).flag('offloadOps', false)
  const context = llama.llama_init_from_model(model, parameters.blob)
  if (context === null) throw new PagestreamError('engine-refused', 'loading the model: the library makes no context of it, for want of memory or else')
  return context
}

function openProjector(
  library: LlamaLibrary,
  model: Address,
  settings: LlamaSettings,
  { imageTokens, exact }: { imageTokens: number; exact: boolean },
): Address {
  const { mtmd, build } = library
  const parameters = new ParameterBlob(build.layouts.projector, mtmd.mtmd_context_params_default())
    .flag('useGpu', settings.gpu)
    .flag('printTimings', false)
    .flag('warmup', false)
    .int32('threads', settings.threads)
  if (exact) parameters.int32('flashAttention', flashOff)
  if (imageTokens > 0) parameters.int32('mostImageTokens', imageTokens)
  const projector = mtmd.mtmd_init_from_file(settings.projector, model, parameters.blob)
  if (projector === null) throw new PagestreamError('engine-refused', 'loading the projector: the library does not take the file of vlm.engine.projector')
  if (!mtmd.mtmd_support_vision(projector)) throw new PagestreamError('engine-refused', 'loading the projector: it takes no pictures')
  return projector
}
