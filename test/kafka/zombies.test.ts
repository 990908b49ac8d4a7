import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, expect, it } from 'vitest'
import { packageRoot } from '../../src/config/package-root.ts'
import { KafkaBus } from '../../src/consumers/kafka/kafka-bus.ts'
import { kafkaClient } from '../../src/consumers/kafka/kafka-client.ts'
import { TopicAdmin } from '../../src/consumers/kafka/topic-admin.ts'
import { kafkaTopic } from '../../src/consumers/kafka/topic-names.ts'
import { eventually, letter, Recorder } from '../support/bus-contract.ts'
import { commandLine, configFile } from '../support/kafka/command-line.ts'
import { describeKafka, testKafkaConfig } from '../support/kafka/test-kafka.ts'
import { tempFolder } from '../support/temp-folder.ts'

const open: AsyncDisposable[] = []
const children: ChildProcess[] = []
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]()
})

interface Said {
  readonly epoch?: number
  readonly records?: number
  readonly answer?: string
}

/** A topic of one partition with five records, a member in a process of its own that has read them, and what the group has committed. */
async function withMember() {
  const config = testKafkaConfig({ partitions: 1, sessionTimeoutMs: 3000 })
  await using admin = await TopicAdmin.connect(config)
  await admin.apply()
  const bus = await KafkaBus.connect(config, 'live')
  open.push({ [Symbol.asyncDispose]: () => bus.close() })
  for (let i = 0; i < 5; i++) await bus.publish([letter(`${i}`)])
  const child = spawn(process.execPath, [join(packageRoot(), 'test/support/kafka/committing-member.mjs'), JSON.stringify(config)])
  children.push(child)
  const said: Said[] = []
  createInterface({ input: child.stdout }).on('line', (line) => said.push(JSON.parse(line) as Said))
  const read = () => said.reduce((sum, { records = 0 }) => sum + records, 0)
  await eventually(() => expect(read()).toBeGreaterThanOrEqual(5), 30_000)
  const committed = async () => {
    const client = kafkaClient(config).admin()
    await client.connect()
    const topic = kafkaTopic(config.topicPrefix, 'dead-letter', 'live')
    const [found] = await client.fetchOffsets({ groupId: `${config.groupPrefix}.zombies.live`, topics: [topic] })
    await client.disconnect()
    return found?.partitions[0]?.offset
  }
  const answers = () => said.flatMap(({ answer }) => answer ?? [])
  return { config, bus, child, said, committed, answers }
}

/** Another member that takes the partition over and commits all of it. */
async function takeOver(bus: KafkaBus) {
  const heir = new Recorder()
  const subscription = await heir.join(bus, 'zombies')
  await eventually(() => expect(heir.records.length).toBeGreaterThanOrEqual(5), 60_000)
  expect(await subscription.commit(heir.epoch, [{ topic: 'dead-letter', partition: 0, offset: 5n }])).toBe('committed')
}

describeKafka('members that are no longer who they were, over a real broker', () => {
  it('moves no offset when one that stood still past its session commits as it wakes, nor after it has joined again', async () => {
    const { bus, child, said, committed, answers } = await withMember()
    child.kill('SIGSTOP')
    await takeOver(bus)
    child.stdin?.write('commit\n')
    child.kill('SIGCONT')
    await eventually(() => expect(answers()).toEqual(['fenced']), 30_000)
    expect(await committed()).toBe('5')
    await eventually(() => expect(said.some(({ epoch = 0 }) => epoch > 1)).toBe(true), 30_000)
    child.stdin?.write('commit\n')
    await eventually(() => expect(answers()).toEqual(['fenced', 'fenced']), 30_000)
    expect(await committed()).toBe('5')
  })

  it('commits what came in under an epoch that still stands', async () => {
    const { child, committed, answers } = await withMember()
    child.stdin?.write('commit\n')
    await eventually(() => expect(answers()).toEqual(['committed']), 30_000)
    expect(await committed()).toBe('2')
  })

  it('answers fenced for what is committed after a member has left', async () => {
    const { bus, child, committed } = await withMember()
    child.kill('SIGKILL')
    const member = new Recorder()
    const subscription = await member.join(bus, 'zombies')
    await eventually(() => expect(member.records.length).toBeGreaterThanOrEqual(5), 60_000)
    await subscription.close()
    expect(await subscription.commit(member.epoch, [{ topic: 'dead-letter', partition: 0, offset: 5n }])).toBe('fenced')
    expect(Number(await committed())).toBeLessThanOrEqual(0) // nothing, or where the partition begins
  })
})

describeKafka('the signals of a worker, over a real broker', () => {
  it('drains at the first, with exit code 0, and ends at once at the second, with 130', async () => {
    const { file } = await configFile(await tempFolder(), { kafka: testKafkaConfig(), ocr: 'never' })
    const ended = async (signals: number) => {
      const { child, said, done } = commandLine(file)('worker', '--stage', 'all', '--lane', 'live')
      await eventually(() => expect(said.errors).toContain('ready'), 60_000)
      child.kill('SIGTERM')
      await eventually(() => expect(said.errors).toContain('draining'), 30_000)
      if (signals > 1) child.kill('SIGTERM')
      return (await done).code
    }
    expect(await ended(1)).toBe(0)
    expect(await ended(2)).toBe(130)
  })
})
