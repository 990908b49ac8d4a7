const endToken = /(?:<\|im_end\|>|<\|endoftext\|>)\s*$/

/** Servers that keep special tokens leave the last one in the text. */
export const withoutEndToken = (answer: string): string => answer.replace(endToken, '')
