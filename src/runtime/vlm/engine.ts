/** A picture as it is sent: encoded once, sent as often as it must be. */
export interface SentPicture {
  readonly bytes: Uint8Array
  readonly mediaType: 'image/png' | 'image/jpeg'
  readonly width: number
  readonly height: number
}

/** How an engine chooses its tokens. Each adapter knows how its server wants it said. */
export interface Decoding {
  /** 0: the most likely token, always. */
  readonly temperature: number
  readonly topP: number
  readonly topK: number
  readonly repetitionPenalty: number
  readonly presencePenalty: number
  readonly frequencyPenalty: number
  /** No run of so many written tokens comes twice within the last `window` of them, or at all. Engines that cannot are watched by the host alone. */
  readonly noRepeat?: { readonly tokens: number; readonly window?: number }
}

/** One question to a vision-language model. */
export interface Ask {
  /** What it is about: from the family's closed list, for figures and learned lengths. */
  readonly task: string
  readonly system?: string
  readonly prompt: string
  readonly picture?: SentPicture
  readonly decoding: Decoding
  readonly maxTokens: number
  /** JSON Schema that the answer should keep to: a model of text alone is held to it, others are told in the prompt. */
  readonly answerSchema?: object
}

export interface Answer {
  readonly text: string
  /** By itself, at the limit of tokens, or because whoever listened had heard enough. */
  readonly finish: 'stop' | 'length' | 'stopped'
  /** Of the prompt, pictures included; 0 where the engine has not told, as when the answer was stopped. */
  readonly promptTokens: number
  /** As the engine counts; as many as pieces came, where it has not told. */
  readonly outputTokens: number
  /** From the question on. */
  readonly firstTokenMs: number
  readonly totalMs: number
  /** How often the question was sent until it was answered, where a queue has sent it. */
  readonly tries?: number
}

export interface AskOptions {
  readonly signal?: AbortSignal
  /** Hears each piece of the answer as it comes, whole characters only. 'enough' ends the answer and frees the slot; the answer so far is given. */
  readonly listen?: (piece: string) => 'enough' | undefined
  /** The answer begins anew, from its first character: what was heard is void. Whoever listens without it is not answered twice. */
  readonly again?: () => void
}

/** How busy an engine says it is. */
export interface EngineLoad {
  readonly running: number
  readonly waiting: number
}

/**
 * A vision-language model that answers: a server, or a library in a child process. Adapters ask; they neither queue nor try again, which is the
 * business of `AskQueue`.
 */
export interface VlmEngine extends AsyncDisposable {
  /** As in `engine.kind` of the configuration, and of people's logs; of a managed server of any kind, the kind that runs, once it has started. */
  readonly name: string
  /** The model as it is named in `vlm:<model>`. */
  readonly model: string
  /** Questions that it works on at once; known once it has started. */
  readonly slots: number
  /** Engines of one process that have the same word here never work at the same time. */
  readonly exclusive?: string | undefined
  /**
   * Waits until it answers, finds out its model and slots. Rejects with `engine-unreachable`, `engine-refused`, `engine-missing`, `engine-failed`,
   * `cancelled`.
   */
  start(signal?: AbortSignal): Promise<void>
  /**
   * Rejects with `engine-unreachable` (no connection, cut in the middle: transient), `engine-busy` (429, 503: overload), `engine-timeout` (transient),
   * `engine-failed` (it says that it broke: transient), `engine-refused` (wrong address, model or key: ends the worker), `picture-refused` (it takes
   * no such picture or prompt: model), `answer-invalid` (not what the protocol says: model), `cancelled`. An abort frees the slot.
   */
  ask(ask: Ask, options?: AskOptions): Promise<Answer>
  /** What its own metrics say; undefined where it has none. */
  load(): Promise<EngineLoad | undefined>
}
