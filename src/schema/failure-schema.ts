import { z } from 'zod'
import { type FailureCode, failureClasses, failureCodes } from './failure.ts'

/** The schema of `Failure`, apart from it: most code makes failures and never parses one. */
export const failureSchema = z.object({
  class: z.enum(failureClasses),
  code: z.enum(Object.keys(failureCodes) as [FailureCode, ...FailureCode[]]),
  message: z.string(),
})
