import { z } from 'zod'

const positive = z.number().int().positive()
const fileName = z.string().default('')

/** How long a member may be silent, heartbeats and long polls: the poll must be shorter than the heartbeat, that than a third of the session. */
const timing = {
  sessionTimeoutMs: positive.min(1000).max(1_800_000).default(30_000).describe('A member that is silent for so long loses its partitions'),
  heartbeatIntervalMs: positive.max(600_000).default(3000).describe('… and speaks this often; at most a third of the session'),
  maxWaitMs: positive.max(60_000).default(1000).describe('Longest wait of one fetch; less than the heartbeat interval'),
}

/** Everything about the brokers. Empty `brokers`: no cluster. */
export const kafkaConfigSchema = z
  .strictObject({
    brokers: z
      .array(z.string().regex(/^[^\s,:]+:\d{1,5}$/, 'expected host:port'))
      .default([])
      .describe('Addresses to begin with, host:port'),
    clientId: z
      .string()
      .min(1)
      .default('pagestream')
      .describe('Name of this client in the logs of the brokers; each consumer adds eight characters of its own'),
    topicPrefix: z
      .string()
      .regex(/^[a-zA-Z0-9._-]{1,100}$/)
      .default('pagestream')
      .describe('First part of every topic name'),
    groupPrefix: z
      .string()
      .regex(/^[a-zA-Z0-9._-]{1,100}$/)
      .default('pagestream')
      .describe('First part of every consumer group'),
    connectTimeoutMs: positive.max(600_000).default(10_000).describe('Longest wait for a connection or an authentication'),
    ...timing,
    maxBytes: positive
      .max(1024 ** 3)
      .default(2 * 1024 ** 2)
      .describe('Bytes that one fetch brings from a broker at most'),
    maxBytesPerPartition: positive
      .max(1024 ** 3)
      .default(1024 ** 2)
      .describe('… and from one partition'),
    maxMessageBytes: positive
      .max(1024 ** 3)
      .default(1024 ** 2)
      .describe('Largest batch that the topics take (max.message.bytes)'),
    partitions: positive.max(10_000).default(12).describe('Partitions of a work topic: at most so many workers of a stage share a lane'),
    replicationFactor: positive.max(32).default(1).describe('Copies of every partition; 3 in production'),
    retentionHours: positive.max(87_600).default(168).describe('How long records are kept; longer than the longest pause'),
    tls: z
      .strictObject({
        enabled: z.boolean().default(false).describe('Encrypt the connection'),
        caFile: fileName.describe('Certificate of the authority, PEM; empty = those of the system'),
        certFile: fileName.describe('Certificate of this client, PEM'),
        keyFile: fileName.describe('Its key, PEM'),
      })
      .prefault({}),
    sasl: z
      .strictObject({
        mechanism: z.enum(['none', 'plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer']).default('none').describe('How the client proves who it is'),
        username: z.string().default('').describe('For plain and scram'),
        passwordFile: fileName.describe('File that holds the password'),
        tokenFile: fileName.describe('File that holds the bearer token, read again for every connection'),
      })
      .prefault({}),
  })
  .refine(({ heartbeatIntervalMs, sessionTimeoutMs }) => 3 * heartbeatIntervalMs <= sessionTimeoutMs, {
    path: ['heartbeatIntervalMs'],
    message: 'more than a third of sessionTimeoutMs: one late heartbeat would cost the partitions',
  })
  .refine(({ maxWaitMs, heartbeatIntervalMs }) => maxWaitMs < heartbeatIntervalMs, {
    path: ['maxWaitMs'],
    message: 'not less than heartbeatIntervalMs: heartbeats are sent between fetches',
  })
export type KafkaConfig = z.infer<typeof kafkaConfigSchema>
