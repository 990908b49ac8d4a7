import type { Address, KoffiLibrary, NativeLibrary } from './koffi-library.ts'
import type { NativeTypes } from './llama-functions.ts'
import type { Blob512 } from './parameter-blob.ts'

/** `mtmd_input_text`: the memory must live until `mtmd_tokenize` has returned. */
export interface NativeText {
  readonly text: Uint8Array
  readonly text_len: number
  readonly add_special: boolean
  readonly parse_special: boolean
}

/** What is used of libmtmd, named as there. Handles must be alive: nothing is checked below. */
export interface MtmdFunctions {
  mtmd_default_marker(): Address
  mtmd_context_params_default(): Blob512
  mtmd_init_from_file(path: string, model: Address, parameters: Blob512): Address
  mtmd_support_vision(projector: Address): boolean
  /** Copies `width * height * 3` bytes: a shorter buffer is read past its end. */
  mtmd_bitmap_init(width: number, height: number, rgb: Uint8Array): Address
  mtmd_bitmap_free(bitmap: Address): void
  mtmd_input_chunks_init(): Address
  mtmd_input_chunks_free(chunks: Address): void
  mtmd_input_chunks_size(chunks: Address): number | bigint
  mtmd_input_chunks_get(chunks: Address, index: number): Address
  /** 0: text. */
  mtmd_input_chunk_get_type(chunk: Address): number
  mtmd_input_chunk_get_n_tokens(chunk: Address): number | bigint
  /** 0 done; 2: a picture that it does not take, or another number of pictures than of markers. */
  mtmd_tokenize(projector: Address, chunks: Address, text: NativeText, bitmaps: BigUint64Array, count: number): number
  /** 0 done, else the code of `llama_decode`. Adds to `past` for text. Aborts the process for a `batch` above the context's. */
  mtmd_helper_eval_chunk_single(
    projector: Address,
    context: Address,
    chunk: Address,
    first: number,
    sequence: number,
    batch: number,
    last: boolean,
    past: Int32Array,
  ): number
}

/** Binds the functions. Throws where one is not there: another library, or a build that is too old. */
export function bindMtmd(koffi: KoffiLibrary, mtmd: NativeLibrary, types: NativeTypes): MtmdFunctions {
  const address = 'void *'
  const text = koffi.pointer(types.inputText)
  const evaluated = [address, address, address, 'int32_t', 'int32_t', 'int32_t', 'bool', address]
  return {
    mtmd_default_marker: mtmd.func('mtmd_default_marker', address, []),
    mtmd_context_params_default: mtmd.func('mtmd_context_params_default', types.blob, []),
    mtmd_init_from_file: mtmd.func('mtmd_init_from_file', address, ['str', address, types.blob]),
    mtmd_support_vision: mtmd.func('mtmd_support_vision', 'bool', [address]),
    mtmd_bitmap_init: mtmd.func('mtmd_bitmap_init', address, ['uint32_t', 'uint32_t', address]),
    mtmd_bitmap_free: mtmd.func('mtmd_bitmap_free', 'void', [address]),
    mtmd_input_chunks_init: mtmd.func('mtmd_input_chunks_init', address, []),
    mtmd_input_chunks_free: mtmd.func('mtmd_input_chunks_free', 'void', [address]),
    mtmd_input_chunks_size: mtmd.func('mtmd_input_chunks_size', 'size_t', [address]),
    mtmd_input_chunks_get: mtmd.func('mtmd_input_chunks_get', address, [address, 'size_t']),
    mtmd_input_chunk_get_type: mtmd.func('mtmd_input_chunk_get_type', 'int', [address]),
    mtmd_input_chunk_get_n_tokens: mtmd.func('mtmd_input_chunk_get_n_tokens', 'size_t', [address]),
    mtmd_tokenize: mtmd.func('mtmd_tokenize', 'int32_t', [address, address, text, address, 'size_t']),
    mtmd_helper_eval_chunk_single: mtmd.func('mtmd_helper_eval_chunk_single', 'int32_t', evaluated),
  }
}
