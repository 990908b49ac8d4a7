import type { FailureCode } from '../../../../schema/failure.ts'
import type { Answer, Decoding } from '../../engine.ts'

/** What the child is told once: paths as the configuration has them. */
export interface LlamaSettings {
  readonly library: string
  readonly model: string
  readonly projector: string
  /** Answers at once: sequences of one context. */
  readonly slots: number
  readonly threads: number
  /** False: everything stays on the CPU. */
  readonly gpu: boolean
  /** Cells of one sequence; undefined: by the model's form. */
  readonly cells: number | undefined
  /** Most tokens of a picture; undefined: by the model's form. */
  readonly imageTokens: number | undefined
  /** True: the window of written tokens for any model; undefined: for those that were trained with one. */
  readonly window: number | undefined
}

/** Red, green, blue, a byte each; exactly `width * height * 3`. */
export interface RgbPicture {
  readonly width: number
  readonly height: number
  readonly rgb: Uint8Array
}

export interface LlamaQuestion {
  readonly id: number
  readonly system: string | undefined
  readonly prompt: string
  readonly picture: RgbPicture | undefined
  readonly decoding: Decoding
  readonly maxTokens: number
}

/** To the child process. */
export type ToChild =
  | { readonly kind: 'load'; readonly settings: LlamaSettings }
  | { readonly kind: 'ask'; readonly question: LlamaQuestion }
  | { readonly kind: 'cancel'; readonly id: number }

/** What was loaded. */
export interface LlamaFacts {
  /** Of the library. */
  readonly build: string
  readonly architecture: string
  /** Cells of a sequence, as the library has them. */
  readonly cells: number
  /** Written tokens that are kept; 0: all. */
  readonly window: number
}

/** Counts and times of one answer, as the engine has them. */
export interface LlamaFigures extends Pick<Answer, 'finish' | 'promptTokens' | 'outputTokens'> {
  readonly promptMs: number
  readonly writeMs: number
}

/** From the child process. */
export type FromChild =
  | { readonly kind: 'ready'; readonly facts: LlamaFacts }
  | { readonly kind: 'refused'; readonly code: FailureCode; readonly message: string }
  /** What one step has written: whole characters. The first piece of an answer may be empty. */
  | { readonly kind: 'pieces'; readonly pieces: readonly { readonly id: number; readonly text: string }[] }
  | { readonly kind: 'done'; readonly id: number; readonly figures: LlamaFigures }
  | { readonly kind: 'failed'; readonly id: number; readonly code: FailureCode; readonly message: string }

/**
 * To the thread that owns the library. A question has a place of its own in the shared flags: a byte that is not zero there ends it, between tokens
 * and inside the library. Places are `flagBytes` long; the first one is never set.
 */
export type ToThread = { readonly kind: 'ask'; readonly question: LlamaQuestion; readonly place: number }

export const flagBytes = 8
/** Questions in hand at once, waiting ones and those that are being given up included. */
export const maxQuestions = 1023

export interface ThreadData {
  readonly settings: LlamaSettings
  readonly flags: SharedArrayBuffer
}
