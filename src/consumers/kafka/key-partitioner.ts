import { type Message, type PartitionerArgs, Partitioners } from 'kafkajs'

/**
 * Where a record goes by its key: the same partition as any other Kafka client chooses. The client's own partitioner counts in big
 * integers, which costs more than all else that is done to a record whose key is a hash. Records without a key are left to it.
 */
export function keyPartitioner(): (args: PartitionerArgs) => number {
  const byClient = Partitioners.DefaultPartitioner()
  return (args) => {
    const { key } = args.message
    return isGiven(args.message) || key === null || key === undefined
      ? byClient(args)
      : (murmur2(Buffer.from(key)) & 0x7fffffff) % args.partitionMetadata.length
  }
}

const isGiven = ({ partition }: Message): boolean => partition !== undefined && partition !== null

/** Austin Appleby's MurmurHash2, 32 bits, with the seed that Kafka uses. */
function murmur2(data: Buffer): number {
  const m = 0x5bd1e995
  const whole = data.length & ~3
  let h = 0x9747b28c ^ data.length
  for (let at = 0; at < whole; at += 4) {
    const k = Math.imul(data.readInt32LE(at), m)
    h = Math.imul(h, m) ^ Math.imul(k ^ (k >>> 24), m)
  }
  if (whole < data.length) {
    for (let at = data.length - 1; at >= whole; at--) h ^= (data[at] ?? 0) << (8 * (at - whole))
    h = Math.imul(h, m)
  }
  h = Math.imul(h ^ (h >>> 13), m)
  return h ^ (h >>> 15)
}
