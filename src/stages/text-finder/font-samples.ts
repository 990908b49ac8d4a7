import { toFractions, unionAll } from '../../geometry/box.ts'
import type { OpenDocument } from '../../runtime/document-reader.ts'
import type { LineReader } from '../../runtime/text-reader.ts'
import type { QuarterTurn } from '../../schema/geometry.ts'
import type { PointBox, TextLayer, Word } from '../../schema/text-layer.ts'
import { similarity } from './edit-distance.ts'
import type { FontEvidence } from './font-evidence.ts'
import { spread } from './hidden-layer.ts'
import { regionOf } from './region-bounds.ts'

export type SampleAnswer = 'agrees' | 'disagrees' | 'undecided'

const samples = 6
const minLetters = 4
const minConfidence = 0.6
const minSamples = 2
/** Above, the layer says what is printed (a reader slips here and there); below, it says something else. */
const agreement = 0.7
const contradiction = 0.45
const sampleDpi = 150

/**
 * Compares words of a doubtful font with what the picture shows at their place.
 * Undecided when the reader cannot read them: an alphabet that it does not know is no evidence.
 */
export async function compareFont(
  layer: TextLayer,
  font: FontEvidence,
  page: { document: OpenDocument; pageIndex: number; angle: QuarterTurn },
  reader: LineReader,
  signal: AbortSignal,
): Promise<SampleAnswer> {
  const runs = spread(runsOf(layer, font), samples)
  if (runs.length < minSamples) return 'undecided'
  const picture = await page.document.picture(page.pageIndex, { dpi: sampleDpi, angle: page.angle, channels: 1 })
  const regions = runs.map(({ box }) => regionOf(toFractions(box, layer.width, layer.height)))
  const read = await reader.read(picture, regions, signal)
  const scores = read.flatMap((line, i) => (line.confidence < minConfidence ? [] : [similarity(line.text, runs[i]?.text ?? '')]))
  if (scores.length < minSamples) return 'undecided'
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length
  if (mean >= agreement) return 'agrees'
  return mean <= contradiction ? 'disagrees' : 'undecided'
}

interface Run {
  readonly text: string
  readonly box: PointBox
}

/** Neighbouring upright words of the font on one baseline, a little wider than their ink; words that are known to be wrong are no samples. */
function runsOf(layer: TextLayer, font: FontEvidence): Run[] {
  const runs: Run[] = []
  let open: Word[] = []
  const close = () => {
    const text = open.map((word) => word.text).join(' ')
    if ((text.match(/\p{L}{4,}/gu)?.join('').length ?? 0) >= minLetters) {
      const [x0, y0, x1, y1] = unionAll(open.map((word) => word.box))
      const pad = 0.15 * (y1 - y0)
      runs.push({ text, box: [Math.max(0, x0 - pad), Math.max(0, y0 - pad), Math.min(layer.width, x1 + pad), Math.min(layer.height, y1 + pad)] })
    }
    open = []
  }
  let last = -2
  for (const index of font.words) {
    const word = layer.words[index] as Word
    const before = open.at(-1)
    const joins = before && index === last + 1 && Math.abs(before.baseline - word.baseline) < 1 && word.box[0] >= before.box[0]
    if (!joins) close()
    if (word.angle === 0 && !word.vertical && !word.unmapped) open.push(word)
    last = index
  }
  close()
  return runs.sort((a, b) => b.text.length - a.text.length).slice(0, 4 * samples)
}
