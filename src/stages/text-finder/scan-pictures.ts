import type { Box } from '../../schema/geometry.ts'
import type { InkMap } from './ink-map.ts'

/** Side of a cell in pixels of the ink map: a line of print is about so high. */
const cell = 16
/** Share of dark pixels of a cell that holds part of a drawing or photograph. */
const darkCell = 0.05
/** Darker than the paper by this factor. */
const darkShare = 0.72
/** Smallest picture, as shares of the page. */
const minArea = 0.012
const minWidth = 0.08
const minHeight = 0.045
/** A picture fills its box with ink at least so far; scattered dirt and the shadow round a page do not. */
const minFill = 0.3
/** Larger is the page itself, on dark paper. */
const maxArea = 0.85
/** Cells that lie so far apart still belong together. */
const bridge = 1

/**
 * Areas of a scanned page that hold something dark but no writing: photographs, engravings, diagrams.
 * `taken` are the boxes of writing and rules, as all boxes here in fractions of the page.
 */
export function scanPictures(map: InkMap, taken: readonly Box[]): Box[] {
  const columns = Math.ceil(map.width / cell)
  const rows = Math.ceil(map.height / cell)
  const dark = darkCells(map, taken, columns, rows)
  const boxes = components(dark, columns, rows)
  return boxes
    .filter(({ box: [x0, y0, x1, y1], cells }) => {
      const [width, height] = [(x1 - x0) / columns, (y1 - y0) / rows]
      const fits = width >= minWidth && height >= minHeight && width * height >= minArea && width * height <= maxArea
      return fits && cells >= minFill * (x1 - x0) * (y1 - y0)
    })
    .map(({ box: [x0, y0, x1, y1] }): Box => [x0 / columns, y0 / rows, Math.min(1, x1 / columns), Math.min(1, y1 / rows)])
}

function darkCells(map: InkMap, taken: readonly Box[], columns: number, rows: number): Uint8Array {
  const { width, height, grey, ink, paper } = map
  const free = new Uint8Array(width * height).fill(1)
  for (const [x0, y0, x1, y1] of taken) {
    const [left, right] = [Math.max(0, Math.floor(x0 * width)), Math.min(width, Math.ceil(x1 * width))]
    for (let y = Math.max(0, Math.floor(y0 * height)), end = Math.min(height, Math.ceil(y1 * height)); y < end; y++)
      free.fill(0, y * width + left, y * width + right)
  }
  const threshold = paper * darkShare
  const counts = new Uint32Array(columns * rows)
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / cell) * columns
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      if (free[at] === 0 || ((grey[at] as number) >= threshold && ink[at] === 0)) continue
      const to = row + Math.floor(x / cell)
      counts[to] = (counts[to] as number) + 1
    }
  }
  return Uint8Array.from(counts, (count) => (count >= darkCell * cell * cell ? 1 : 0))
}

/** Pieces of dark cells, neighbours up to `bridge` empty cells apart joined; boxes in cells, ends exclusive. */
function components(dark: Uint8Array, columns: number, rows: number): { box: Box; cells: number }[] {
  const seen = new Uint8Array(dark.length)
  const found: { box: Box; cells: number }[] = []
  for (let start = 0; start < dark.length; start++) {
    if (dark[start] === 0 || seen[start] === 1) continue
    const stack = [start]
    seen[start] = 1
    let [x0, y0, x1, y1, cells] = [columns, rows, 0, 0, 0]
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const [x, y] = [at % columns, Math.floor(at / columns)]
      cells++
      x0 = Math.min(x0, x)
      y0 = Math.min(y0, y)
      x1 = Math.max(x1, x + 1)
      y1 = Math.max(y1, y + 1)
      for (let ny = Math.max(0, y - bridge - 1); ny <= Math.min(rows - 1, y + bridge + 1); ny++) {
        for (let nx = Math.max(0, x - bridge - 1); nx <= Math.min(columns - 1, x + bridge + 1); nx++) {
          const next = ny * columns + nx
          if (dark[next] === 0 || seen[next] === 1) continue
          seen[next] = 1
          stack.push(next)
        }
      }
    }
    found.push({ box: [x0, y0, x1, y1], cells })
  }
  return found
}
