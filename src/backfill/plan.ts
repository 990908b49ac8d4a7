import type { Failure } from '../schema/failure.ts'
import type { ArchivedFile, ArchivedObject, ArchiveSource } from './archive-source.ts'

/** What reading the sample on this machine has shown. */
export interface MeasuredSample {
  readonly documents: number
  readonly failed: number
  readonly pages: number
  /** Pages that the gate sends to a model: needs-reading and mixed. */
  readonly modelPages: number
  readonly bytes: number
  readonly seconds: number
}

export interface PlanOptions {
  readonly sample: number
  readonly seed: number
  /** Of a model that the operator has measured: what a page costs, and what one GPU makes. */
  readonly tokensPerPage?: number
  readonly tokensPerSecond?: number
}

export interface BackfillPlan {
  readonly entries: number
  readonly refused: number
  /** Files that are no documents; in a bucket only those in the sample are known to be none. */
  readonly leftOut: number
  readonly sampled: number
  readonly documents: number
  readonly pages: number
  readonly modelPages: number
  /** Null where nobody has said what a page costs; 0 where no page needs a model. */
  readonly tokens: number | null
  readonly gpuHours: number | null
  readonly bytes: number
  readonly pagesPerSecond: number
  /** On one machine like this one, with this configuration. */
  readonly hours: number
}

/** Goes through the archive once, takes so many entries by chance, the same ones for the same seed, and estimates the whole from them. */
export async function planBackfill(
  archive: ArchiveSource,
  options: PlanOptions,
  measure: (sample: readonly (ArchivedFile | ArchivedObject)[]) => Promise<MeasuredSample>,
): Promise<BackfillPlan> {
  const chance = seeded(options.seed)
  const sample: (ArchivedFile | ArchivedObject)[] = []
  let entries = 0
  let refused = 0
  let leftOut = 0
  for await (const { what } of archive.entries('')) {
    if (isFailure(what)) {
      refused++
      continue
    }
    if (what.kind === 'left-out') leftOut++
    if (what.kind !== 'file' && what.kind !== 'object') continue
    entries++
    if (sample.length < options.sample) sample.push(what)
    else {
      const place = Math.floor(chance() * entries)
      if (place < sample.length) sample[place] = what
    }
  }
  const measured = sample.length > 0 ? await measure(sample) : { documents: 0, failed: 0, pages: 0, modelPages: 0, bytes: 0, seconds: 0 }
  const scale = entries / Math.max(1, sample.length)
  const pages = Math.round(measured.pages * scale)
  const modelPages = Math.round(measured.modelPages * scale)
  const pagesPerSecond = measured.pages / Math.max(measured.seconds, 1e-3)
  return {
    ...{ entries, refused, leftOut, sampled: sample.length, pages, modelPages, pagesPerSecond },
    ...modelCost(modelPages, options),
    documents: Math.round((measured.documents - measured.failed) * scale),
    bytes: Math.round(measured.bytes * scale),
    hours: pagesPerSecond > 0 ? pages / pagesPerSecond / 3600 : 0,
  }
}

function modelCost(modelPages: number, { tokensPerPage, tokensPerSecond }: PlanOptions): Pick<BackfillPlan, 'tokens' | 'gpuHours'> {
  if (modelPages === 0) return { tokens: 0, gpuHours: 0 }
  const tokens = tokensPerPage === undefined ? null : Math.round(modelPages * tokensPerPage)
  return { tokens, gpuHours: tokens === null || tokensPerSecond === undefined ? null : tokens / tokensPerSecond / 3600 }
}

const isFailure = (what: object): what is Failure => 'code' in what

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
