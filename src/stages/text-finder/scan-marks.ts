import { contains } from '../../geometry/box.ts'
import type { Picture } from '../../runtime/document-reader.ts'
import type { Box } from '../../schema/geometry.ts'
import type { TextRegion } from '../../schema/page.ts'
import type { PictureArea, Rule, TextLayer } from '../../schema/text-layer.ts'
import { inkMap } from './ink-map.ts'
import { boundsOf } from './region-bounds.ts'
import { scanPictures } from './scan-pictures.ts'
import { scanRules } from './scan-rules.ts'

/** A picture area that covers so much of the page is the scan itself. */
const isScan = 0.6

/**
 * The layer of a scanned page with what its picture shows beside the writing: ruling lines and pictures.
 * The area of the scan itself is taken out: what is on the page are the pictures within it.
 */
export function withScanMarks(layer: TextLayer, picture: Picture, regions: readonly TextRegion[]): TextLayer {
  const map = inkMap(picture)
  const writing = regions.map((region) => boundsOf(region))
  const rules = scanRules(map, layer.width, layer.height)
  const taken = [...writing, ...rules.map((rule) => boxOfRule(rule, layer))]
  const pictures = scanPictures(map, taken)
  const outside = rules.filter((rule) => !writing.some((box) => liesIn(rule, box, layer)) && !pictures.some((box) => liesIn(rule, box, layer)))
  const kept = layer.pictures.filter(({ box: [x0, y0, x1, y1] }) => (x1 - x0) * (y1 - y0) < isScan * layer.width * layer.height)
  return { ...layer, rules: [...layer.rules, ...outside], pictures: [...kept, ...pictures.map((box) => pictureArea(box, layer, picture))] }
}

function boxOfRule(rule: Rule, { width, height }: TextLayer): Box {
  const half = rule.thickness / 2 + 1
  return rule.direction === 'horizontal'
    ? [rule.from / width, (rule.at - half) / height, rule.to / width, (rule.at + half) / height]
    : [(rule.at - half) / width, rule.from / height, (rule.at + half) / width, rule.to / height]
}

/** Both ends and the middle in the box: a stroke of a letter or of a drawing. An underline stands at the rim of its region and counts as outside. */
function liesIn(rule: Rule, [x0, y0, x1, y1]: Box, { width, height }: TextLayer): boolean {
  const rim = 0.15 * (y1 - y0)
  const inner: Box = rule.direction === 'horizontal' ? [x0, y0 + rim, x1, y1 - rim] : [x0, y0, x1, y1]
  const at = (along: number): boolean =>
    rule.direction === 'horizontal' ? contains(inner, along / width, rule.at / height) : contains(inner, rule.at / width, along / height)
  return at(rule.from) && at((rule.from + rule.to) / 2) && at(rule.to)
}

function pictureArea([x0, y0, x1, y1]: Box, { width, height }: TextLayer, picture: Picture): PictureArea {
  return {
    box: [x0 * width, y0 * height, x1 * width, y1 * height],
    widthPx: Math.max(1, Math.round((x1 - x0) * picture.width)),
    heightPx: Math.max(1, Math.round((y1 - y0) * picture.height)),
  }
}
