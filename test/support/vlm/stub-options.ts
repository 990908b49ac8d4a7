/** Servers whose ways the stub knows. */
export const stubKinds = ['vllm', 'sglang', 'lmdeploy', 'llama-server', 'mlx', 'transformers', 'openai'] as const
export type StubKind = (typeof stubKinds)[number]

/** A picture as it came. `bytes` decodes base64 each time. */
export interface StubPicture {
  readonly mediaType: string
  /** Pixels, from the head of a PNG; 0 for other formats. */
  readonly width: number
  readonly height: number
  bytes(): Buffer
}

/** A question as the stub understood it. */
export interface StubRequest {
  /** Counts from 0. */
  readonly index: number
  readonly system: string | undefined
  /** All text parts, joined; a literal mark of the picture included. */
  readonly prompt: string
  readonly pictures: readonly StubPicture[]
  readonly maxTokens: number | undefined
  /** The whole body, for what tests look at. */
  readonly body: Readonly<Record<string, unknown>>
  readonly authorization: string | undefined
}

/** What a golden script answers. A string ends by itself; a loop goes on until a guard or the limit ends it. */
export type StubAnswer = string | { readonly text: string; readonly loop: string }

export type StubScript = (request: StubRequest) => StubAnswer | Promise<StubAnswer>

/** What goes wrong with one question. Counts are of tokens that were sent before. */
export type StubFault =
  | { readonly kind: 'status'; readonly status: number; readonly message?: string; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: 'html'; readonly status?: number }
  | { readonly kind: 'cut'; readonly afterTokens: number }
  | { readonly kind: 'silence'; readonly afterTokens: number }
  | { readonly kind: 'broken-chunk'; readonly afterTokens: number }
  | { readonly kind: 'stream-error'; readonly afterTokens: number; readonly message?: string }
  | { readonly kind: 'invalid-utf8'; readonly afterTokens: number }
  | { readonly kind: 'not-json'; readonly afterTokens: number }
  | { readonly kind: 'no-end'; readonly afterTokens: number }
  | { readonly kind: 'finish'; readonly reason: string }
  | { readonly kind: 'no-usage' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'refusal' }
  | { readonly kind: 'never-ending' }
  | { readonly kind: 'hang' }

export interface StubOptions {
  readonly kind: StubKind
  readonly model: string
  readonly slots: number
  /** Tokens of a prompt that are read in a second, by all slots together. */
  readonly prefillTokensPerSecond: number
  /** Tokens that one slot writes in a second while it is alone. */
  readonly decodeTokensPerSecond: number
  /** … and all slots together at most. */
  readonly totalDecodeTokensPerSecond: number
  readonly script: StubScript
  /** Looked up for each question, before its script. */
  readonly fault?: (request: StubRequest) => StubFault | undefined
  /** Special tokens never come out: a server without `--special`, or one that ignores `skip_special_tokens`. */
  readonly stripsSpecials?: boolean
  /** No guard against loops is registered, whatever the request says. */
  readonly ignoresGuards?: boolean
  /** The limit of tokens is not kept. */
  readonly ignoresLimit?: boolean
  /** The template is wrong: the model sees another prompt and chats. */
  readonly wrongTemplate?: boolean
  /** Answers end with this, where specials are kept. */
  readonly endMark?: string
  readonly apiKey?: string
  /** Until it is ready, in ms from its start: 503, or no listener at all. */
  readonly loadingMs?: number
  /** Of /metrics; default true. */
  readonly hasMetrics?: boolean
  /** Further models that it lists. */
  readonly otherModels?: readonly string[]
  /** Tokens in one event. */
  readonly chunkTokens?: number
  /** Prompts that are longer are refused as over the context. */
  readonly contextTokens?: number
  /** Lines of comment are sent before the first token. */
  readonly comments?: boolean
}

/** Fast enough for tests, slow enough to be caught in the middle. */
export const quickStub: Pick<StubOptions, 'kind' | 'model' | 'slots' | 'prefillTokensPerSecond' | 'decodeTokensPerSecond' | 'totalDecodeTokensPerSecond'> = {
  kind: 'vllm',
  model: 'stub-model',
  slots: 4,
  prefillTokensPerSecond: 1_000_000,
  decodeTokensPerSecond: 5000,
  totalDecodeTokensPerSecond: 20_000,
}
