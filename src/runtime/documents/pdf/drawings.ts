import type { PointBox } from '../../../schema/text-layer.ts'

/** Shapes nearer than this belong to one drawing, in points. */
const reach = 8
/** The page is looked at through at most so many cells a side, so that the work is bounded whatever its size. */
const maxCells = 400
const maxDrawings = 500

/**
 * Joins the boxes of shapes to drawings: boxes that share or touch a cell of a coarse grid are one. Linear in the
 * boxes and the cells. Shapes that span a whole page side to side (frames, backgrounds) would join everything and
 * are left out.
 */
export function clusterDrawings(boxes: readonly PointBox[], width: number, height: number): PointBox[] {
  if (boxes.length === 0) return []
  const cell = Math.max(reach, width / maxCells, height / maxCells)
  const columns = Math.ceil(width / cell) + 1
  const rows = Math.ceil(height / cell) + 1
  const owner = new Int32Array(columns * rows).fill(-1)
  const parents = new Int32Array(boxes.length).map((_, i) => i)
  const find = (i: number): number => {
    let root = i
    while (parents[root] !== root) root = parents[root] ?? root
    let at = i
    while (parents[at] !== root) {
      const next = parents[at] ?? root
      parents[at] = root
      at = next
    }
    return root
  }
  const clamp = (value: number, last: number) => Math.min(last, Math.max(0, Math.floor(value / cell)))
  const used: number[] = []
  boxes.forEach((box, i) => {
    if (box[2] - box[0] > 0.95 * width && box[3] - box[1] > 0.95 * height) return
    used.push(i)
    const [x0, x1] = [clamp(box[0], columns - 1), clamp(box[2], columns - 1)]
    const [y0, y1] = [clamp(box[1], rows - 1), clamp(box[3], rows - 1)]
    for (let y = y0; y <= y1; y++) {
      for (let x = x0; x <= x1; x++) {
        // A long shape owns the cells along its edges; its inside may hold another drawing, which then joins by touch.
        const at = y * columns + x
        const before = owner[at] ?? -1
        if (before >= 0) parents[find(i)] = find(before)
        else owner[at] = i
      }
    }
  })
  const clusters = new Map<number, [number, number, number, number]>()
  for (const i of used) {
    const [x0, y0, x1, y1] = boxes[i] ?? [0, 0, 0, 0]
    const root = find(i)
    const all = clusters.get(root)
    if (all) clusters.set(root, [Math.min(all[0], x0), Math.min(all[1], y0), Math.max(all[2], x1), Math.max(all[3], y1)])
    else clusters.set(root, [x0, y0, x1, y1])
  }
  return [...clusters.values()]
    .sort((a, b) => (b[2] - b[0]) * (b[3] - b[1]) - (a[2] - a[0]) * (a[3] - a[1]))
    .slice(0, maxDrawings)
    .map((box): PointBox => [Math.round(box[0] * 100) / 100, Math.round(box[1] * 100) / 100, Math.round(box[2] * 100) / 100, Math.round(box[3] * 100) / 100])
}
