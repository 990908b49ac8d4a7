import type { Address, KoffiLibrary, NativeLibrary } from './koffi-library.ts'
import type { Blob512 } from './parameter-blob.ts'
import { blobBytes } from './parameter-layout.ts'

/** `llama_batch`: how many entries, and where their columns are. */
export interface NativeBatch {
  readonly n_tokens: number
  readonly token: Address
  readonly embd: null
  readonly pos: Address
  readonly n_seq_id: Address
  readonly seq_id: Address
  readonly logits: Address
}

/** What is used of libllama and libggml, named as there. Sequences and positions are counted from 0; handles must be alive: nothing is checked below. */
export interface LlamaFunctions {
  ggml_backend_dev_count(): number | bigint
  ggml_backend_load_all_from_path(folder: string): void
  llama_backend_init(): void
  llama_model_default_params(): Blob512
  llama_context_default_params(): Blob512
  llama_model_load_from_file(path: string, parameters: Blob512): Address
  llama_init_from_model(model: Address, parameters: Blob512): Address
  llama_model_get_vocab(model: Address): Address
  llama_model_n_swa(model: Address): number
  llama_model_n_ctx_train(model: Address): number
  llama_model_meta_val_str(model: Address, key: string, text: Uint8Array, bytes: number): number
  llama_vocab_n_tokens(vocabulary: Address): number
  llama_vocab_is_eog(vocabulary: Address, token: number): boolean
  /** Below 0: so many tokens are needed. */
  llama_tokenize(vocabulary: Address, text: Uint8Array, bytes: number, tokens: Int32Array, most: number, special: boolean, parse: boolean): number
  /** Below 0: so many bytes are needed. */
  llama_token_to_piece(vocabulary: Address, token: number, text: Uint8Array, bytes: number, strip: number, special: boolean): number
  /** 0 done, 1 no free cell, 2 aborted, below 0 refused or broken. */
  llama_decode(context: Address, batch: NativeBatch): number
  llama_get_logits_ith(context: Address, row: number): Address
  llama_get_memory(context: Address): Address
  /** Removes positions from `first` to before `end`; -1, -1: all. Aborts the process for a sequence that the context does not have. */
  llama_memory_seq_rm(memory: Address, sequence: number, first: number, end: number): boolean
  /** Grows by a fixed size with each cell. */
  llama_state_seq_get_size(context: Address, sequence: number): number | bigint
  llama_n_ctx_seq(context: Address): number
  llama_n_batch(context: Address): number
  llama_n_seq_max(context: Address): number
  llama_set_abort_callback(context: Address, callback: Address, data: Uint8Array): void
}

/** The types that several functions share, made once for each process. */
export interface NativeTypes {
  readonly blob: ReturnType<KoffiLibrary['struct']>
  readonly batch: ReturnType<KoffiLibrary['struct']>
  readonly inputText: ReturnType<KoffiLibrary['struct']>
}

export function nativeTypes(koffi: KoffiLibrary): NativeTypes {
  return {
    blob: koffi.struct({ words: koffi.array('uint64_t', blobBytes / 8) }),
    batch: koffi.struct({ n_tokens: 'int32_t', token: 'void *', embd: 'void *', pos: 'void *', n_seq_id: 'void *', seq_id: 'void *', logits: 'void *' }),
    inputText: koffi.struct({ text: 'void *', text_len: 'size_t', add_special: 'bool', parse_special: 'bool' }),
  }
}

/** Binds the functions. Throws where one is not there: another library, or a build that is too old. */
export function bindLlama(ggml: NativeLibrary, llama: NativeLibrary, types: NativeTypes): LlamaFunctions {
  const { blob, batch } = types
  const address = 'void *'
  return {
    ggml_backend_dev_count: ggml.func('ggml_backend_dev_count', 'size_t', []),
    ggml_backend_load_all_from_path: ggml.func('ggml_backend_load_all_from_path', 'void', ['str']),
    llama_backend_init: llama.func('llama_backend_init', 'void', []),
    llama_model_default_params: llama.func('llama_model_default_params', blob, []),
    llama_context_default_params: llama.func('llama_context_default_params', blob, []),
    llama_model_load_from_file: llama.func('llama_model_load_from_file', address, ['str', blob]),
    llama_init_from_model: llama.func('llama_init_from_model', address, [address, blob]),
    llama_model_get_vocab: llama.func('llama_model_get_vocab', address, [address]),
    llama_model_n_swa: llama.func('llama_model_n_swa', 'int32_t', [address]),
    llama_model_n_ctx_train: llama.func('llama_model_n_ctx_train', 'int32_t', [address]),
    llama_model_meta_val_str: llama.func('llama_model_meta_val_str', 'int32_t', [address, 'str', address, 'size_t']),
    llama_vocab_n_tokens: llama.func('llama_vocab_n_tokens', 'int32_t', [address]),
    llama_vocab_is_eog: llama.func('llama_vocab_is_eog', 'bool', [address, 'int32_t']),
    llama_tokenize: llama.func('llama_tokenize', 'int32_t', [address, address, 'int32_t', address, 'int32_t', 'bool', 'bool']),
    llama_token_to_piece: llama.func('llama_token_to_piece', 'int32_t', [address, 'int32_t', address, 'int32_t', 'int32_t', 'bool']),
    llama_decode: llama.func('llama_decode', 'int32_t', [address, batch]),
    llama_get_logits_ith: llama.func('llama_get_logits_ith', address, [address, 'int32_t']),
    llama_get_memory: llama.func('llama_get_memory', address, [address]),
    llama_memory_seq_rm: llama.func('llama_memory_seq_rm', 'bool', [address, 'int32_t', 'int32_t', 'int32_t']),
    llama_state_seq_get_size: llama.func('llama_state_seq_get_size', 'size_t', [address, 'int32_t']),
    llama_n_ctx_seq: llama.func('llama_n_ctx_seq', 'uint32_t', [address]),
    llama_n_batch: llama.func('llama_n_batch', 'uint32_t', [address]),
    llama_n_seq_max: llama.func('llama_n_seq_max', 'uint32_t', [address]),
    llama_set_abort_callback: llama.func('llama_set_abort_callback', 'void', [address, address, address]),
  }
}
