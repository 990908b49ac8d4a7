import type { BackfillPlan } from '../backfill/plan.ts'
import type { BackfillCheckpoint, BackfillSpec } from '../schema/backfill.ts'
import { counted } from './counted.ts'

const barWidth = 24

/** Counts of a run for machines. */
export function reportOf(spec: BackfillSpec, checkpoint: BackfillCheckpoint): Record<string, unknown> {
  const { offsets: _, gateOffsets: __, open, early: ___, saves: ____, ...counts } = checkpoint
  return { run: spec.run, ...counts, inFlight: open.length, pagesPerSecond: rateOf(checkpoint), leftMs: leftMs(checkpoint) ?? null }
}

/** The same on one line for people. */
export function backfillLine(checkpoint: BackfillCheckpoint): string {
  const { sent, passedOver, leftOut, ended, pages, gated, lost } = checkpoint
  const left = leftMs(checkpoint)
  const parts = [
    ...bar(checkpoint),
    `${counted(sent, 'document')} sent`,
    counted(pages, 'page'),
    `${rateOf(checkpoint).toFixed(1)} pages/s`,
    `${checkpoint.open.length} in flight`,
  ]
  if (left !== undefined) parts.push(`${Math.ceil(left / 60_000)} min left`)
  if (passedOver > 0) parts.push(`${passedOver} passed over`)
  if (leftOut > 0) parts.push(`${leftOut} left out: no documents`)
  if (gated.pages > 0) parts.push(`${Math.round((100 * gated.withoutModel) / gated.pages)} % decided by the gate`)
  for (const [name, count] of Object.entries({ ...checkpoint.failures })) parts.push(`${count} failed: ${name}`)
  for (const [name, count] of Object.entries({ ...checkpoint.refused })) parts.push(`${count} refused: ${name}`)
  if (ended.partial > 0) parts.push(`${ended.partial} partial`)
  if (lost > 0) parts.push(`${lost} without an end`)
  return parts.join('  ')
}

/** What an archive costs, for people. */
export function planLines(plan: BackfillPlan, assumes: string): string[] {
  const { entries, sampled, leftOut, documents, pages, bytes, pagesPerSecond, hours } = plan
  const others = leftOut > 0 ? `, ${counted(leftOut, 'other file')} left out` : ''
  return [
    `${counted(entries, 'entry', 'entries')}, ${sampled} of them read${others}: about ${counted(documents, 'document')}, ${counted(pages, 'page')}, ${(bytes / 1e6).toFixed(1)} MB`,
    `${pagesPerSecond.toFixed(1)} pages/s: about ${timeOf(hours * 3600)} (${assumes})`,
    modelLine(plan),
  ]
}

function modelLine({ pages, modelPages, tokens, gpuHours }: BackfillPlan): string {
  const share = `read by a model: ${modelPages} of ${counted(pages, 'page')} (${Math.round((100 * modelPages) / Math.max(1, pages))} %)`
  if (modelPages === 0) return `${share}: 0 tokens, 0 GPU-hours`
  if (tokens === null)
    return `${share}: tokens and GPU-hours unknown, as the models here run on the processor and count none; give --tokens-per-page and --tokens-per-second of yours`
  const gpu = gpuHours === null ? 'GPU-hours unknown without --tokens-per-second' : `${gpuHours < 0.01 ? 'less than 0.01' : gpuHours.toFixed(2)} GPU-hours`
  return `${share}: about ${tokens} tokens, ${gpu}`
}

/** In the unit that says most of it. */
function timeOf(seconds: number): string {
  if (seconds <= 90) return counted(seconds > 0 ? Math.max(1, Math.round(seconds)) : 0, 'second')
  if (seconds <= 90 * 60) return counted(Math.round(seconds / 60), 'minute')
  return `${(seconds / 3600).toFixed(1)} hours`
}

const rateOf = ({ pages, workedMs }: BackfillCheckpoint): number => pages / Math.max(workedMs / 1000, 1)

/** Entries that need nothing more. */
const doneEntries = (checkpoint: BackfillCheckpoint): number => checkpoint.entries - checkpoint.open.length

/** Known once the archive has been counted. */
function leftMs(checkpoint: BackfillCheckpoint): number | undefined {
  const { enumerated, entries, workedMs } = checkpoint
  const total = enumerated ? entries : checkpoint.total
  const done = doneEntries(checkpoint)
  return total !== undefined && done > 0 ? (Math.max(0, total - done) * workedMs) / done : undefined
}

function bar(checkpoint: BackfillCheckpoint): string[] {
  const total = checkpoint.enumerated ? checkpoint.entries : checkpoint.total
  if (total === undefined || total === 0) return []
  const filled = Math.min(barWidth, Math.round((barWidth * doneEntries(checkpoint)) / total))
  return [`[${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}] ${doneEntries(checkpoint)}/${total}`]
}
