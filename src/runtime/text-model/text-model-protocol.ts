import type { FailureCode } from '../../schema/failure.ts'
import type { Answer } from '../vlm/engine.ts'

export interface TextModelSettings {
  /** Of the package, as it is imported. */
  readonly packageUrl: string
  readonly file: string
  /** False: nothing runs on a GPU. */
  readonly gpu: boolean
  readonly threads: number
}

export interface TextQuestion {
  readonly prompt: string
  readonly maxTokens: number
  readonly schema: object | undefined
}

/** To the child process: first what it loads, then one question after the other. */
export type ToTextModel = { readonly kind: 'load'; readonly settings: TextModelSettings } | { readonly kind: 'ask'; readonly question: TextQuestion }

/** From it: one word for each. */
export type FromTextModel =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly code: FailureCode; readonly message: string }
