import { Distribution } from './distribution.ts'

/** Operations of a store as they are counted. */
export const storeOperations = ['get', 'put', 'has', 'list', 'delete'] as const
export type StoreOperation = (typeof storeOperations)[number]

/** Calls of a store. Only ever grow; exporters read them. */
export class StoreCounters {
  readonly seconds = Object.fromEntries(storeOperations.map((name) => [name, new Distribution('seconds')])) as Record<StoreOperation, Distribution>
  readonly failures: Record<StoreOperation, number> = { get: 0, put: 0, has: 0, list: 0, delete: 0 }
  /** Objects that were asked for and are not there. */
  misses = 0
}
