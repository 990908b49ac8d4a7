import type { BlockAnswer } from '../family.ts'

/** Characters of an answer that are read and kept: far more than its tokens can be, unless a server does not keep the limit. */
export const longestAnswer = 100_000

/** What a server may leave at the end of an answer when it is told to keep special tokens. */
const endTokens = ['<|im_end|>', '<|endoftext|>']

export interface ReadAnswer {
  /** Without the end token, bounded, and as `soundText`. */
  readonly text: string
  /** It did not come to its end. */
  readonly cut: boolean
}

export function readAnswer({ text, finish }: BlockAnswer): ReadAnswer {
  const whole = withoutEndToken(text)
  return { text: soundText(whole.slice(0, longestAnswer)), cut: finish !== 'stop' || whole.length > longestAnswer }
}

export function withoutEndToken(text: string): string {
  const endToken = endTokens.find((token) => text.endsWith(token)) ?? ''
  return text.slice(0, text.length - endToken.length)
}

/**
 * Characters that no page prints and that change what readers of outputs see: control characters but for tab and line break, marks of direction and of
 * byte order, invisible operators and tags.
 */
const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e007f}]/gu

/** What a model wrote as text that can be printed: lines end with a line feed, half of a surrogate pair becomes U+FFFD, what is never seen is left out. */
export function soundText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(unseen, '')
    .replace(/\p{Surrogate}/gu, '\ufffd')
}
