import { z } from 'zod'
import { failureClasses } from './failure.ts'

const count = z.number().int().nonnegative()

export const reprocessModes = ['model', 'config', 'failed', 'all'] as const
export type ReprocessMode = (typeof reprocessModes)[number]

/** What a backfill was asked to do; written once, so that it goes on as it began from whatever machine. */
export const backfillSpecSchema = z.object({
  run: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/),
  archive: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('folder'), path: z.string() }),
    z.object({ kind: z.literal('manifest'), path: z.string() }),
    z.object({ kind: z.literal('bucket'), url: z.string() }).describe('Objects below a prefix, s3://bucket/prefix'),
    z.object({ kind: z.literal('topic'), fromMs: count, untilMs: count }).describe('Documents that were submitted to the live lane between two times'),
  ]),
  reprocess: z.enum(reprocessModes).optional(),
  inPlace: z.boolean().describe('Workers read the files where they lie; else they are put into the store'),
  documentsPerSecond: z.number().positive().optional(),
  share: z.number().positive().max(1).describe('Part of the target that this run may fill'),
  startedMs: count,
})
export type BackfillSpec = z.infer<typeof backfillSpecSchema>

export const backfillStates = ['running', 'paused', 'stopped', 'done', 'cancelled'] as const
export type BackfillState = (typeof backfillStates)[number]

/** How a document of a run ended. */
export const runEndSchema = z.object({
  status: z.enum(['complete', 'partial', 'failed']),
  pages: count,
  failedPages: count,
  failure: z.enum(failureClasses).optional(),
  name: z.string().optional().describe('Of a document that is not complete'),
  code: z.string().optional(),
})
export type RunEnd = z.infer<typeof runEndSchema>

/** An entry that somebody may want to look after. */
export const problemSchema = z.object({
  what: z.enum(['refused', 'partial', 'failed', 'lost']),
  name: z.string().describe('Of the file, or where the entry stands in the archive'),
  document: z.string().optional().describe('id/revision'),
  code: z.string().optional(),
  failedPages: count.optional(),
})
export type Problem = z.infer<typeof problemSchema>

/** Where a backfill is. Its size does not depend on the archive's. */
export const backfillCheckpointSchema = z.object({
  state: z.enum(backfillStates),
  position: z.string().describe('Of the last entry that was dealt with; empty at the beginning'),
  enumerated: z.boolean().describe('Whether the archive has been gone through to its end'),
  entries: count.describe('Dealt with: sent, passed over, refused or left out'),
  total: count.optional().describe('Entries of the whole archive, once they are counted'),
  sent: count,
  passedOver: count.describe('Done already, on its way under another name, or not what was to be done again'),
  leftOut: count.describe('Files that neither look like documents nor are named like one'),
  refused: z.partialRecord(z.enum(failureClasses), count).describe('Entries that could not be sent, by class'),
  ended: z.object({ complete: count, partial: count, failed: count }),
  failures: z.partialRecord(z.enum(failureClasses), count).describe('Documents that failed, by class'),
  pages: count,
  failedPages: count,
  gated: z.object({ pages: count, withoutModel: count }).describe('Pages that the gate has decided, and those of them without a model'),
  lost: count.describe('Sent and never heard of again, with no end in the store'),
  open: z.array(z.string()).describe('Documents that were sent and have not ended: id/revision'),
  early: z.array(z.tuple([z.string(), runEndSchema])).describe('Ends that were heard of before the sending was noted'),
  offsets: z.record(z.string(), z.string()).describe('Next offset to read of every partition of documents.assembled'),
  gateOffsets: z.record(z.string(), z.string()),
  saves: count.describe('How often it was written'),
  workedMs: count,
  updatedMs: count,
})
export type BackfillCheckpoint = z.infer<typeof backfillCheckpointSchema>

/** What somebody wants of a running backfill. */
export const backfillWishSchema = z.object({ wish: z.enum(['run', 'pause', 'cancel']) })
export type BackfillWish = z.infer<typeof backfillWishSchema>['wish']

/** Who works on a backfill, and when it said so last. */
export const backfillOwnerSchema = z.object({ owner: z.string(), atMs: count })
