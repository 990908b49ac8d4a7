import { createHash } from 'node:crypto'
import { Partitioners } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { keyPartitioner } from '../../../../src/consumers/kafka/key-partitioner.ts'

const argsFor = (message: { key: string | null; partition?: number }, partitions = 12) => ({
  topic: 'documents',
  partitionMetadata: Array.from({ length: partitions }, (_, partitionId) => ({ partitionErrorCode: 0, partitionId, leader: 1, replicas: [1], isr: [1] })),
  message: { ...message, value: null },
})

describe('keyPartitioner', () => {
  it('chooses the partition that the client would, for keys of every length and script', () => {
    const [ours, theirs] = [keyPartitioner(), Partitioners.DefaultPartitioner()]
    const hashes = Array.from({ length: 300 }, (_, i) => createHash('sha256').update(String(i)).digest('hex'))
    const keys = ['', ...hashes.map((hash, i) => hash.slice(0, i % 65)), ...hashes.map((hash) => Buffer.from(hash, 'hex').toString('latin1')), '文書/12', '🂡']
    for (const [i, key] of keys.entries()) {
      const args = argsFor({ key }, 1 + (i % 13))
      expect(ours(args)).toBe(theirs(args))
    }
  })

  it('spreads records without a key over all partitions', () => {
    const partitioner = keyPartitioner()
    const chosen = Array.from({ length: 12 }, () => partitioner(argsFor({ key: null })))
    expect(chosen.sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, i) => i))
  })

  it('keeps to a partition that is given', () => {
    expect(keyPartitioner()(argsFor({ key: 'any', partition: 7 }))).toBe(7)
  })
})
