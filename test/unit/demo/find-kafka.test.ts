import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { environmentOf } from '../../../src/demo/kafka/container-broker.ts'
import { dockerAnswers } from '../../../src/demo/kafka/docker-engine.ts'
import { type BrokerSources, findKafka } from '../../../src/demo/kafka/find-kafka.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/** Sources that note what was asked of them. */
function sources(more: Partial<BrokerSources> = {}) {
  const asked: string[] = []
  const noted = <T>(name: string, value: T) => {
    asked.push(name)
    return Promise.resolve(value)
  }
  const close = async () => void asked.push('close')
  const from: BrokerSources = {
    named: () => [],
    dockerAnswers: () => noted('docker', false),
    container: () => noted('container', { addresses: ['127.0.0.1:1'], close }),
    jars: () => noted('jars', { folder: 'jars' }),
    cluster: () => noted('cluster', { brokers: [], addresses: ['127.0.0.1:2'], close }),
    warm: () => noted('warm', undefined),
    ...more,
  }
  return { from, asked }
}

describe('where a broker comes from', () => {
  it('takes the one that is named and starts none', async () => {
    const { from, asked } = sources({ named: () => ['kafka:9092'] })
    expect(await findKafka(from)).toMatchObject({ brokers: ['kafka:9092'], from: 'KAFKA_BROKERS' })
    expect(asked).toEqual([])
  })

  it('starts a container where an engine answers, and no jars then', async () => {
    const { from, asked } = sources({ dockerAnswers: async () => true })
    expect(await findKafka(from)).toMatchObject({ brokers: ['127.0.0.1:1'], from: 'Apache Kafka in a container' })
    expect(asked).toEqual(['container', 'warm'])
  })

  it('takes the jars where no engine answers, or where its container does not start', async () => {
    const silent = sources()
    expect(await findKafka(silent.from)).toMatchObject({ brokers: ['127.0.0.1:2'] })
    expect(silent.asked).toEqual(['docker', 'jars', 'cluster', 'warm'])
    const broken = sources({ dockerAnswers: async () => true, container: () => Promise.reject(new Error('no such image')) })
    expect(await findKafka(broken.from)).toMatchObject({ brokers: ['127.0.0.1:2'] })
  })

  it('names all that would be needed where there is nothing', async () => {
    const { from } = sources({ jars: async () => ({ missing: 'Java 17 or later' }) })
    const found = await findKafka(from)
    expect(found).toMatchObject({ missing: expect.stringMatching(/KAFKA_BROKERS.*Docker \(no engine answers\).*Java 17/) })
  })

  it('ends what it has started when that does not come to serve', async () => {
    const { from, asked } = sources({ warm: () => Promise.reject(new Error('silent')) })
    await expect(findKafka(from)).rejects.toThrow('silent')
    expect(asked.at(-1)).toBe('close')
  })
})

describe('a Docker engine', () => {
  let server: Server | undefined
  afterEach(() => void server?.close())

  it('is one that answers a ping at its socket', async () => {
    const socket = join(await tempFolder(), 'docker.sock')
    let status = 200
    server = createServer((request, response) => response.writeHead(request.url === '/_ping' ? status : 404).end())
    await new Promise<void>((resolve) => server?.listen(socket, resolve))
    expect(await dockerAnswers(`unix://${socket}`)).toBe(true)
    status = 500
    expect(await dockerAnswers(`unix://${socket}`)).toBe(false)
  })

  it('is none where nobody listens, and where the address is of a kind that is not asked', async () => {
    for (const host of [`unix://${join(await tempFolder(), 'none.sock')}`, 'tcp://127.0.0.1:1', 'ssh://user@host', 'tcp://']) {
      expect(await dockerAnswers(host), host).toBe(false)
    }
  })

  it('is given the settings of the broker as its image reads them', () => {
    expect(environmentOf({ 'log.dirs': '/data', 'node.id': 1 })).toEqual({ KAFKA_LOG_DIRS: '/data', KAFKA_NODE_ID: '1' })
  })
})
