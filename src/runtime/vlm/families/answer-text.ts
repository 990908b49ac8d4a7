import type { BlockAnswer } from '../family.ts'

/** Characters of an answer that are read and kept: far more than its tokens can be, unless a server does not keep the limit. */
export const longestAnswer = 100_000

/** What a server may leave at the end of an answer when it is told to keep special tokens. */
const endTokens = ['<|im_end|>', '<|endoftext|>']

export interface ReadAnswer {
  /** Without the end token, bounded, and well-formed: half of a surrogate pair becomes U+FFFD. */
  readonly text: string
  /** It did not come to its end. */
  readonly cut: boolean
}

export function readAnswer({ text, finish }: BlockAnswer): ReadAnswer {
  const whole = withoutEndToken(text)
  return { text: whole.slice(0, longestAnswer).replace(/\p{Surrogate}/gu, '\ufffd'), cut: finish !== 'stop' || whole.length > longestAnswer }
}

export function withoutEndToken(text: string): string {
  const endToken = endTokens.find((token) => text.endsWith(token)) ?? ''
  return text.slice(0, text.length - endToken.length)
}
