import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Cluster, startCluster } from '../../src/demo/kafka/cluster.ts'
import { stageNames } from '../../src/schema/stage.ts'
import { describeOwnBroker } from '../support/kafka/own-broker.ts'
import { chaosDocuments } from './chaos-documents.ts'
import { faultCounts, faultPlan } from './fault-plan.ts'
import type { Outcome } from './outcome.ts'
import { runSeed, sessionMs } from './run-seed.ts'

/** The runs of every build: kills, zombies, members that come and go, a store that fails, a broker that restarts. */
const fixedSeeds = [2, 9, 25, 44]
const seedMs = 300_000

const [from, count] = [Number(process.env.CHAOS_FROM ?? 1), Number(process.env.CHAOS_SEEDS ?? 0)]
const seeds = count > 0 ? Array.from({ length: count }, (_, i) => from + i) : fixedSeeds

describeOwnBroker('fault injection', (libs) => {
  let cluster: Cluster
  let folder: string
  let expected: ReadonlyMap<string, Outcome>
  const documents = chaosDocuments()
  const paths: { path: string; name: string }[] = []

  const run = async (seed: number, calm = false) => {
    const [broker] = cluster.brokers
    if (!broker) throw new Error('fault injection: the cluster has no broker')
    const drawn = faultPlan(seed, documents.length, sessionMs)
    const plan = calm
      ? { ...drawn, workers: [stageNames], faults: [], submissions: documents.map((_, document) => ({ document, atMs: 0 })), store: noFaults }
      : drawn
    const storeUrl = pathToFileURL(join(folder, `store-${seed}`)).href
    return { plan, result: await runSeed({ plan, broker, storeUrl, paths, ...(!calm && { expected }) }) }
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pagestream-chaos-'))
    for (const { name, bytes } of documents) {
      const path = join(folder, name)
      await writeFile(path, bytes)
      paths.push({ path, name })
    }
    cluster = await startCluster(libs)
    const { result } = await run(0, true)
    expect(result.violations).toEqual([])
    expect(result.outcomes.size).toBe(documents.length)
    expected = result.outcomes
  })

  afterAll(async () => {
    await cluster?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it.each(seeds)(
    'loses, doubles and changes nothing with seed %i',
    async (seed) => {
      const { plan, result } = await run(seed)
      const { seconds, endedAlone, repeated, violations } = result
      if (process.env.CHAOS_RESULTS) {
        await appendFile(process.env.CHAOS_RESULTS, `${JSON.stringify({ seed, seconds, endedAlone, repeated, violations, faults: faultCounts(plan) })}\n`)
      }
      if (violations.length > 0) process.stderr.write(`seed ${seed}: ${JSON.stringify(plan, null, 1)}\n${result.said.join('\n')}\n`)
      expect(violations).toEqual([])
    },
    seedMs,
  )
})

const noFaults = { errorRate: 0, latencyMs: 0 }
