/** Offsets by partition as they stand in the store. */
export const offsetsFrom = (text: Readonly<Record<string, string>>): Map<number, bigint> =>
  new Map(Object.entries(text).map(([partition, offset]) => [Number(partition), BigInt(offset)]))

export const offsetsText = (offsets: ReadonlyMap<number, bigint>): Record<string, string> =>
  Object.fromEntries([...offsets].map(([partition, offset]) => [String(partition), String(offset)]))
