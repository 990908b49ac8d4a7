/** A special token, a blank with up to four letters or digits, a run of blanks, or one other character: near what tokenizers of such models do. */
const tokenPattern = /<\|[a-z_/]{1,24}\|>|<[a-z]{2,4}>|\s?[\p{L}\p{N}]{1,4}|\s+|[^\s\p{L}\p{N}]/gu

export const tokensOf = (text: string): string[] => text.match(tokenPattern) ?? []

/** As Qwen2-VL counts: squares of 28 pixels. */
export const pictureTokens = ({ width, height }: { readonly width: number; readonly height: number }): number =>
  Math.max(4, Math.ceil(width / 28) * Math.ceil(height / 28))

const specialPattern = /<\|[a-z_/]{1,24}\|>|<\uff5c[^\uff5c]{1,32}\uff5c>/gu

export const withoutSpecials = (text: string): string => text.replace(specialPattern, '')
