import { z } from 'zod'
import { documentAssembledSchema } from './events.ts'

/** What an output folder remembers of a document that is done. */
export const doneMarkSchema = z.object({ formats: z.array(z.string()), folder: z.string(), assembled: documentAssembledSchema })
export type DoneMark = z.infer<typeof doneMarkSchema>
