import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { loadConfig } from '../../config/load-config.ts'
import { packageRoot } from '../../config/package-root.ts'
import { surroundingEnvironment } from '../../config/places.ts'
import { KafkaBus } from '../../consumers/kafka/kafka-bus.ts'
import { TopicAdmin } from '../../consumers/kafka/topic-admin.ts'
import { Submitter } from '../../inputs/submitter.ts'
import type { BlockEvent, DocumentAssembled } from '../../schema/events.ts'
import { type StageName, stageNames } from '../../schema/stage.ts'
import { openStore } from '../../store/open-store.ts'
import { type DemoWorker, startWorker } from './demo-workers.ts'
import { findKafka } from './find-kafka.ts'

/**
 * The sample documents through five worker processes over a real broker. One worker is killed on the way: its pages come again
 * to the one that takes its place, and every document still ends complete.
 */
const victim: StageName = 'region-recognition'
/** Blocks that have come when the worker is killed: it has pages in hand then. */
const blocksBeforeKill = 20

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

async function main(): Promise<number> {
  const kafka = await findKafka()
  if ('missing' in kafka) {
    print(`The demo needs ${kafka.missing}.`)
    return 2
  }
  print(`broker     ${kafka.brokers.join(', ')} (${kafka.from})`)
  const folder = await mkdtemp(join(tmpdir(), 'pagestream-demo-'))
  const workers = new Map<StageName, DemoWorker>()
  try {
    const prefix = `demo-${randomUUID().slice(0, 8)}`
    const kafkaKeys = {
      brokers: kafka.brokers,
      topicPrefix: prefix,
      groupPrefix: prefix,
      partitions: 4,
      sessionTimeoutMs: 6000,
      heartbeatIntervalMs: 1000,
      maxWaitMs: 300,
    }
    const storeUrl = pathToFileURL(join(folder, 'store')).href
    const config = loadConfig({ env: {}, overrides: { kafka: kafkaKeys, store: { url: storeUrl } } })
    const keys = Object.entries(kafkaKeys).map(([key, value]) => [`PAGESTREAM_KAFKA__${key.replace(/[A-Z]/g, '_$&').toUpperCase()}`, JSON.stringify(value)])
    const env = { ...surroundingEnvironment(), ...Object.fromEntries(keys), PAGESTREAM_STORE__URL: storeUrl }
    await using admin = await TopicAdmin.connect(config.kafka)
    print(`topics     ${(await admin.apply()).length} created`)
    for (const worker of await Promise.all(stageNames.map((stage) => startWorker(stage, env)))) workers.set(worker.stage, worker)
    print(`workers    ${[...workers.values()].map(({ stage, pid }) => `${stage} ${pid}`).join(', ')}`)
    return await run(config, workers, env)
  } finally {
    await Promise.all([...workers.values()].map((worker) => worker.stop()))
    await kafka.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function run(config: ReturnType<typeof loadConfig>, workers: Map<StageName, DemoWorker>, env: NodeJS.ProcessEnv): Promise<number> {
  const bus = await KafkaBus.connect(config.kafka, 'live')
  const blocks = new Set<string>()
  let blockEvents = 0
  const ended = new Map<string, DocumentAssembled>()
  const nameOf = new Map<string, string>()
  let wake: () => void = () => {}
  await bus.subscribe(
    { group: 'demo', topics: ['blocks', 'documents.assembled'] },
    {
      records: ({ records }) => {
        for (const { topic, payload } of records) {
          if (topic === 'blocks') {
            blockEvents++
            const { documentId, block } = payload as BlockEvent
            if (!blocks.has(block.id)) show(nameOf.get(documentId) ?? documentId, block)
            blocks.add(block.id)
          } else if (topic === 'documents.assembled') {
            const event = payload as DocumentAssembled
            if (!ended.has(event.documentId)) print(`document   ${event.source.name}: ${event.status}, ${event.pages} ${event.pages === 1 ? 'page' : 'pages'}`)
            ended.set(event.documentId, event)
          }
        }
        wake()
      },
      assigned: () => {},
      revoked: () => {},
      fatal: (error) => {
        throw error
      },
    },
  )
  const samples = join(packageRoot(), 'samples')
  const names = readdirSync(samples).filter((name) => /\.(pdf|jpg|png|tif)$/.test(name))
  const submitter = new Submitter(config, await openStore(config.store), bus)
  const started = performance.now()
  for (const name of names) {
    const submitted = await submitter.identify(join(samples, name), name)
    nameOf.set(submitted.documentId, name)
    await submitter.send(submitted)
  }
  print(`submitted  ${names.join(', ')}`)
  let killed = false
  while (ended.size < names.length) {
    await new Promise<void>((resolve) => {
      wake = resolve
    })
    if (killed || blocks.size < blocksBeforeKill) continue
    killed = true
    const worker = workers.get(victim)
    await worker?.kill()
    print(`killed     ${victim} ${worker?.pid} (SIGKILL), after ${blocks.size} blocks`)
    const next = await startWorker(victim, env)
    workers.set(victim, next)
    print(`started    ${victim} ${next.pid}: it takes over what was not committed when the session of the dead one ends`)
  }
  await bus.close()
  const incomplete = [...ended.values()].filter(({ status }) => status !== 'complete')
  const pages = [...ended.values()].reduce((sum, event) => sum + event.pages, 0)
  print(`\n${ended.size} of ${names.length} documents, ${pages} pages, ${blocks.size} blocks in ${((performance.now() - started) / 1000).toFixed(1)} s`)
  print(`${blockEvents - blocks.size} block events came twice, with the ids that they had: whoever keeps them by id keeps each once`)
  print(incomplete.length === 0 ? 'nothing was lost' : `not complete: ${incomplete.map(({ source }) => source.name).join(', ')}`)
  return incomplete.length === 0 ? 0 : 1
}

function show(name: string, { page, kind, text = '' }: BlockEvent['block']): void {
  print(`block      ${name}  p. ${page + 1}  ${kind.padEnd(12)} ${text.replaceAll('\n', ' ').slice(0, 90)}`)
}

process.exitCode = await main()
