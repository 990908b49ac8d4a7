import { z } from 'zod'

/** What the lock of an output folder says of the run that holds it. */
export const lockOwnerSchema = z.object({
  pid: z.number().int().positive(),
  host: z.string(),
  /** When the run began, ISO 8601. */
  startedAt: z.string(),
  /** Within what the process id is unique: one start of a machine or container. */
  machine: z.string(),
  /** When the process began, as the system counts; empty where it does not tell. A process id is used again. */
  processStart: z.string(),
  /** Of this lock alone. */
  token: z.string(),
})
export type LockOwner = z.infer<typeof lockOwnerSchema>
