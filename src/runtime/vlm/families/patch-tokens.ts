/** Pixels of a side of what becomes one token: 2 x 2 patches of 14 pixels. */
const tokenSide = 28

/**
 * Tokens of the prompt that a picture becomes for models whose eyes are those of Qwen2-VL, by its size in pixels: sides are rounded to whole tokens. Source:
 * `smart_resize` of that model; limits of pixels, which servers set as they like, are not counted in.
 */
export function patchTokens(width: number, height: number): number {
  const tokens = (side: number): number => Math.max(1, Math.round(side / tokenSide))
  return tokens(width) * tokens(height)
}
