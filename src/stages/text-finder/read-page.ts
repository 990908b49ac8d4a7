import { turnSize } from '../../geometry/turn.ts'
import type { Documents, OpenDocument, Picture } from '../../runtime/document-reader.ts'
import type { LineReader, TextFinder } from '../../runtime/text-reader.ts'
import type { QuarterTurn } from '../../schema/geometry.ts'
import type { TextRegion, Verdict } from '../../schema/page.ts'
import type { TextLayer } from '../../schema/text-layer.ts'
import { turnTextLayer } from '../../text-layer/turn-text-layer.ts'
import type { GatedPage, RenderedPage } from '../stage-values.ts'
import { findWriting } from './find-writing.ts'
import type { GatePlan } from './gate-plan.ts'
import type { GateReason } from './gate-reasons.ts'
import { hasDebris, hiddenLayerAgrees, showHiddenWords } from './hidden-layer.ts'
import { turnOfScan } from './page-angle.ts'
import { withScanMarks } from './scan-marks.ts'

/** What the gate asks when a page's layer does not settle it. */
export interface GateEngines {
  readonly documents: Documents
  readonly finder: TextFinder
  readonly reader: LineReader
}

/** A page of a large format scan: more pixels do not make print more legible. */
const maxPixels = 24_000_000

/** Looks at a page whose picture decides: a scan, a photo, or a page whose words are wrong. */
export function readPage(input: RenderedPage, plan: GatePlan & { step: 'read-page' }, engines: GateEngines, signal: AbortSignal): Promise<GatedPage> {
  return engines.documents.use(input.page.source, async (document) => {
    const upright = await findUpright(document, input.page.pageIndex, engines, signal)
    const layer = turnTextLayer(input.textLayer, upright.angle)
    const reasons: GateReason[] = [...plan.reasons, upright.reason]
    if (upright.angle !== 0) reasons.push('turned-page')
    if (upright.regions.length === 0) return gated(input, layer, upright.angle, verdict('blank', reasons))
    if (plan.checkHidden) {
      const answer = await judgeHidden(layer, plan.content.underPictures, upright, engines.reader, signal)
      reasons.push(answer)
      if (answer === 'hidden-layer-agrees')
        return gated(input, showHiddenWords(withScanMarks(layer, upright.picture, upright.regions)), upright.angle, verdict('text-layer', reasons))
    }
    const marked = withScanMarks(layer, upright.picture, upright.regions)
    const badStyles = layer.styles.map((_, index) => index)
    return gated(input, marked, upright.angle, { ...verdict('needs-reading', reasons), regions: [...upright.regions], badStyles })
  })
}

async function judgeHidden(
  layer: TextLayer,
  words: readonly number[],
  { picture, regions }: Upright,
  reader: LineReader,
  signal: AbortSignal,
): Promise<GateReason> {
  if (hasDebris(layer, words)) return 'hidden-layer-debris'
  return (await hiddenLayerAgrees(layer, words, picture, regions, reader, signal)) ? 'hidden-layer-agrees' : 'hidden-layer-disagrees'
}

interface Upright {
  readonly angle: QuarterTurn
  readonly picture: Picture
  readonly regions: readonly TextRegion[]
  readonly reason: GateReason
}

/** Finds the writing; when the page lies on its side or head, once more on the page turned upright. */
async function findUpright(document: OpenDocument, pageIndex: number, { finder, reader }: GateEngines, signal: AbortSignal): Promise<Upright> {
  const look = async (angle: QuarterTurn): Promise<Upright> => {
    const picture = await document.picture(pageIndex, { dpi: 'native', angle, channels: 3, maxPixels })
    const { regions, reason } = await findWriting(picture, { finder, reader }, signal)
    return { angle, picture, regions, reason }
  }
  const displayed = await look(0)
  if (displayed.regions.length === 0) return displayed
  const angle = await turnOfScan(displayed.picture, displayed.regions, reader, signal)
  return angle === 0 ? displayed : look(angle)
}

const verdict = (kind: Verdict['kind'], reasons: readonly GateReason[]): Verdict => ({
  kind,
  reasons: [...reasons],
  regions: [],
  modelUsed: true,
  badStyles: [],
})

/** The page in its upright frame, with what was decided. */
export function gated(input: RenderedPage, layer: TextLayer, angle: QuarterTurn, decision: Verdict): GatedPage {
  const { width, height } = turnSize(input.frame.width, input.frame.height, angle)
  return { page: input.page, frame: { width, height, angle }, textLayer: layer, verdict: decision }
}
