import { z } from 'zod'

const positive = z.number().int().positive()

/** How a backfill feeds the bulk lane. */
export const backfillConfigSchema = z.strictObject({
  checkpointEntries: positive
    .max(100_000)
    .default(500)
    .describe('A backfill notes where it is at least every so many entries: no more are sent twice after it was killed'),
  targetPages: positive.max(10_000_000).default(2000).describe('Pages that a backfill keeps in flight, in 20,000 documents at most'),
  targetDocuments: positive.max(1_000_000).default(200).describe('… and documents, until it is known how many pages one has'),
  pollMs: positive.max(60_000).default(1000).describe('How often a backfill looks whether it was paused or cancelled'),
  quietMs: positive
    .max(86_400_000)
    .default(600_000)
    .describe('Documents in flight of which nothing was heard for so long, while no work waits, are no longer waited for'),
})
