import { coverage, toFractions, unionAll } from '../../geometry/box.ts'
import { turnBox } from '../../geometry/turn.ts'
import type { OpenDocument } from '../../runtime/document-reader.ts'
import type { Box, QuarterTurn } from '../../schema/geometry.ts'
import type { TextRegion } from '../../schema/page.ts'
import type { PointBox, TextLayer, Word } from '../../schema/text-layer.ts'
import { turnTextLayer } from '../../text-layer/turn-text-layer.ts'
import type { GatedPage, RenderedPage } from '../stage-values.ts'
import { gateSide, readableRegions } from './find-writing.ts'
import type { FontEvidence } from './font-evidence.ts'
import { compareFont } from './font-samples.ts'
import type { GatePlan } from './gate-plan.ts'
import type { GateReason } from './gate-reasons.ts'
import { turnOfWords } from './page-angle.ts'
import { type GateEngines, gated, readPage } from './read-page.ts'
import { boundsOf, placedIn } from './region-bounds.ts'
import { regionsOfWords } from './word-regions.ts'

/** Resolution of a picture on a page that is looked at, and of what the finder sees of it: print of 6 points is 8 pixels high. */
const lookDpi = 200
const finderDpi = 110
const maxFinderSide = 1280
const margin = 12
/** Found writing that visible words cover so far is those words. */
const coveredByWords = 0.4
/** A page whose words are mostly wrong is read as a whole. */
const mostlyWrong = 0.5

/** Decides about a page with good words and something that they do not settle: pictures, or fonts whose characters are doubtful. */
export function lookAtPage(input: RenderedPage, plan: GatePlan & { step: 'look' }, engines: GateEngines, signal: AbortSignal): Promise<GatedPage> {
  const { textLayer, page } = input
  const angle = turnOfWords(plan.content.visible.map((index) => textLayer.words[index] as Word))
  const layer = turnTextLayer(textLayer, angle)
  return engines.documents.use(page.source, async (document) => {
    const looking: Looking = { document, pageIndex: page.pageIndex, angle, layer, engines, signal }
    const reasons = new Set<GateReason>(plan.reasons)
    const bad = [...plan.bad, ...(await judgeDoubtful(plan.doubtful, looking, reasons))]
    const badCharacters = bad.reduce((sum, font) => sum + font.characters, 0)
    if (bad.length > 0 && badCharacters >= mostlyWrong * plan.content.visibleCharacters) {
      return readPage(input, { step: 'read-page', reasons: [...reasons], content: plan.content, checkHidden: false }, engines, signal)
    }
    const badStyles = [...new Set(bad.flatMap((font) => font.styles))].sort((a, b) => a - b)
    const pictures = plan.content.lookAt.map((box) => turnBox(box, textLayer.width, textLayer.height, angle) as PointBox)
    const inPictures = await findIn(pictures, badStyles, looking)
    if (pictures.length > 0) reasons.add(inPictures.length > 0 ? 'picture-with-writing' : 'picture-without-writing')
    const regions = [...inPictures, ...bad.flatMap((font) => regionsOfWords(layer, font.words))]
    if (angle !== 0) reasons.add('turned-page')
    const modelUsed = pictures.length > 0 || plan.doubtful.length > 0
    const kind = regions.length > 0 || badStyles.length > 0 ? 'mixed' : 'text-layer'
    return gated(input, layer, angle, { kind, reasons: [...reasons], regions, modelUsed, badStyles })
  })
}

interface Looking {
  readonly document: OpenDocument
  readonly pageIndex: number
  readonly angle: QuarterTurn
  /** Upright. */
  readonly layer: TextLayer
  readonly engines: GateEngines
  readonly signal: AbortSignal
}

/** The doubtful fonts that the picture contradicts. */
async function judgeDoubtful(fonts: readonly FontEvidence[], looking: Looking, reasons: Set<GateReason>): Promise<FontEvidence[]> {
  const wrong: FontEvidence[] = []
  for (const font of fonts) {
    const answer = await compareFont(looking.layer, font, looking, looking.engines.reader, looking.signal)
    reasons.add(answer === 'agrees' ? 'samples-agree' : answer === 'disagrees' ? 'samples-disagree' : 'samples-undecided')
    if (answer === 'disagrees') wrong.push(font)
  }
  return wrong
}

/**
 * Writing within the areas (points, upright page) that no trusted word covers.
 * One picture of the box around all areas is looked at: small first, and larger only when there is something.
 */
async function findIn(areas: readonly PointBox[], badStyles: readonly number[], looking: Looking): Promise<TextRegion[]> {
  if (areas.length === 0) return []
  const { layer, document, pageIndex, angle, engines, signal } = looking
  const around = toFractions(unionAll(areas.map(widened)), layer.width, layer.height)
  const picture = await document.picture(pageIndex, { dpi: lookDpi, angle, region: around, channels: 3 })
  const inches = Math.max((around[2] - around[0]) * layer.width, (around[3] - around[1]) * layer.height) / 72
  const side = Math.min(maxFinderSide, Math.max(320, Math.round(inches * finderDpi)))
  if (side > gateSide) {
    const gate = await engines.finder.find(picture, { longSidePx: gateSide }, signal)
    if (gate.regions.length === 0 && gate.bestProbability < 0.3) return []
  }
  const found = await engines.finder.find(picture, { longSidePx: side }, signal)
  const readable = await readableRegions(picture, found.regions, engines.reader, signal)
  const trusted = layer.words.filter((word) => !word.hidden && !badStyles.includes(word.style))
  return readable.map((region) => placedIn(region, around)).filter((region) => isWanted(region, areas, trusted, layer))
}

/** The finder needs paper around print. */
const widened = ([x0, y0, x1, y1]: PointBox): PointBox => [x0 - margin, y0 - margin, x1 + margin, y1 + margin]

function isWanted(region: TextRegion, areas: readonly PointBox[], trusted: readonly Word[], layer: TextLayer): boolean {
  const box = boundsOf(region, layer.width, layer.height)
  if (!areas.some((area) => coverage(box, area) > 0.5 || coverage(area, box) > 0.5)) return false
  return trusted.reduce((sum, word) => sum + coverage(box, word.box as Box), 0) < coveredByWords
}
