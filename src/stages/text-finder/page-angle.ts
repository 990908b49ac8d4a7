import type { Picture } from '../../runtime/document-reader.ts'
import type { LineReader } from '../../runtime/text-reader.ts'
import type { QuarterTurn } from '../../schema/geometry.ts'
import type { TextRegion } from '../../schema/page.ts'
import type { Word } from '../../schema/text-layer.ts'

/** A page is turned only when most of its characters agree. */
const dominance = 0.6

/** The clockwise turn that brings most of the words upright, 0 when they do not agree. */
export function turnOfWords(words: Iterable<Word>): QuarterTurn {
  const characters = new Map<number, number>()
  let all = 0
  for (const word of words) {
    const quarter = word.vertical ? 0 : (Math.round(word.angle / 90) * 90) % 360
    characters.set(quarter, (characters.get(quarter) ?? 0) + word.text.length)
    all += word.text.length
  }
  for (const [quarter, count] of characters) if (count > dominance * all) return ((360 - quarter) % 360) as QuarterTurn
  return 0
}

/** Lines to try, and the shape that a good one has: long enough to be sure of, short enough to be cheap. */
const maxSamples = 6
const firstSamples = 3
const minRatio = 3
const bestRatio = 10
/** Upright print reads at .95 and more, upside-down print at .55. */
const certain = 0.88
const margin = 0.06

/**
 * The clockwise turn that brings a scanned page upright, judged by the page as a whole: the shape of the regions tells
 * lines that run across from lines that run along the page; which way up, a few lines tell, read both ways.
 * A line by itself is no judge: classifiers turn one good line in a hundred.
 */
export async function turnOfScan(picture: Picture, regions: readonly TextRegion[], reader: LineReader, signal: AbortSignal): Promise<QuarterTurn> {
  const sideways = runsSideways(picture, regions)
  const samples = sampleLines(picture, regions, sideways)
  if (samples.length === 0) return 0
  // A sideways line is first read as if it ran down the page, which a page turned clockwise does.
  const upright = samples.map((region) => (sideways ? turnedCounterClockwise(region) : region))
  const firstLook = await reader.read(picture, upright.slice(0, firstSamples), signal)
  const sure = firstLook.filter((line) => !line.turned && line.confidence >= certain && line.text.length >= 4)
  if (sure.length * 2 > firstLook.length) return sideways ? 270 : 0
  const rest = await reader.read(picture, upright.slice(firstSamples), signal)
  const over = await reader.read(picture, upright.map(turnedOver), signal)
  const gain = average([...firstLook, ...rest].map(scoreAsDrawn)) - average(over.map(scoreAsDrawn))
  if (sideways) return gain >= 0 ? 270 : 90
  return gain < -margin ? 180 : 0
}

/** A reading that was better the other way round speaks against the way it was asked for. */
const scoreAsDrawn = (line: { confidence: number; turned: boolean }): number => (line.turned ? 1 - line.confidence : line.confidence)

const average = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

interface Side {
  readonly across: number
  readonly down: number
}

function sidesOf({ corners: [x0, y0, x1, y1, x2, y2] }: TextRegion, { width, height }: Picture): Side {
  return { across: Math.hypot((x1 - x0) * width, (y1 - y0) * height), down: Math.hypot((x2 - x1) * width, (y2 - y1) * height) }
}

/** Lines vote with their length; regions that are nearly square (single words, numbers) do not vote. */
function runsSideways(picture: Picture, regions: readonly TextRegion[]): boolean {
  let along = 0
  let across = 0
  for (const region of regions) {
    const side = sidesOf(region, picture)
    if (side.down > 1.5 * side.across) along += side.down
    else if (side.across > 1.5 * side.down) across += side.across
  }
  return along > 1.5 * across
}

/** Lines of a good shape, spread over the page. */
function sampleLines(picture: Picture, regions: readonly TextRegion[], sideways: boolean): TextRegion[] {
  const shaped = regions
    .map((region) => {
      const { across, down } = sidesOf(region, picture)
      return { region, ratio: sideways ? down / across : across / down }
    })
    .filter(({ ratio }) => ratio >= minRatio)
  shaped.sort((a, b) => Math.abs(Math.log(a.ratio / bestRatio)) - Math.abs(Math.log(b.ratio / bestRatio)))
  return shaped.slice(0, maxSamples).map(({ region }) => region)
}

const turnedCounterClockwise = ({ corners: [x0, y0, x1, y1, x2, y2, x3, y3], score }: TextRegion): TextRegion => ({
  corners: [x1, y1, x2, y2, x3, y3, x0, y0],
  score,
})
const turnedOver = ({ corners: [x0, y0, x1, y1, x2, y2, x3, y3], score }: TextRegion): TextRegion => ({ corners: [x2, y2, x3, y3, x0, y0, x1, y1], score })
