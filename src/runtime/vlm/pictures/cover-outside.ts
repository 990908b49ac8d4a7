import type { Pixels } from './pixels.ts'

/** Paints what lies outside a polygon black. `corners`: x0 y0 x1 y1 …, in pixels. Even-odd rule, a pixel counts by its centre. */
export function coverOutside({ data, width, height, channels }: Pixels, corners: readonly number[]): void {
  const stride = width * channels
  for (let y = 0; y < height; y++) {
    const crossings = crossingsAt(corners, y + 0.5)
    let from = 0
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      const [enter, leave] = [Math.ceil((crossings[i] as number) - 0.5), Math.ceil((crossings[i + 1] as number) - 0.5)]
      data.fill(0, y * stride + Math.max(0, from) * channels, y * stride + clamp(enter, width) * channels)
      from = clamp(leave, width)
    }
    data.fill(0, y * stride + from * channels, (y + 1) * stride)
  }
}

const clamp = (x: number, most: number): number => Math.min(most, Math.max(0, x))

/** Where the edges cross a line across the picture, from left to right. */
function crossingsAt(corners: readonly number[], y: number): number[] {
  const found: number[] = []
  for (let i = 0; i + 1 < corners.length; i += 2) {
    const [x0, y0] = [corners[i] as number, corners[i + 1] as number]
    const next = (i + 2) % corners.length
    const [x1, y1] = [corners[next] as number, corners[next + 1] as number]
    if (y0 <= y !== y1 <= y) found.push(x0 + ((y - y0) / (y1 - y0)) * (x1 - x0))
  }
  return found.sort((a, b) => a - b)
}
