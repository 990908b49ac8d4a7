import type { InRecord } from './bus.ts'

/** Stable hash of a key (FNV-1a): the same key always goes to the same partition. */
export function partitionOf(key: string, partitions: number): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
  return (hash >>> 0) % partitions
}

/** The log of one partition. Offsets only grow; what every group has committed is dropped from the front. */
export class MemoryPartition {
  #first = 0n
  #records: InRecord[] = []

  get end(): bigint {
    return this.#first + BigInt(this.#records.length)
  }

  append(record: Omit<InRecord, 'offset'>): void {
    this.#records.push(Object.freeze({ ...record, offset: this.end }))
  }

  /** At most `limit` records from `offset` on. */
  read(offset: bigint, limit: number): InRecord[] {
    const start = Number(offset > this.#first ? offset - this.#first : 0n)
    return this.#records.slice(start, start + limit)
  }

  /** Drops records below `offset`. */
  truncate(offset: bigint): void {
    const drop = Number(offset - this.#first)
    if (drop <= 0) return
    this.#records = this.#records.slice(drop)
    this.#first = offset
  }
}
