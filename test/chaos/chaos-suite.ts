import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Cluster, startCluster } from '../../src/demo/kafka/cluster.ts'
import { stageNames } from '../../src/schema/stage.ts'
import { describeOwnBroker } from '../support/kafka/own-broker.ts'
import type { ChaosDocument } from './chaos-documents.ts'
import { faultCounts, faultPlan } from './fault-plan.ts'
import type { Outcome } from './outcome.ts'
import { runSeed, sessionMs } from './run-seed.ts'

const seedMs = 300_000
const noFaults = { errorRate: 0, latencyMs: 0 }

export interface ChaosSuite {
  readonly documents: readonly ChaosDocument[]
  /** The runs of every build; CHAOS_SEEDS and CHAOS_FROM name others. */
  readonly fixedSeeds: readonly number[]
  /** A model reads, on an engine that has faults of its own. */
  readonly hasEngine: boolean
}

/** Runs seeds over a broker of their own, one after the other, and compares each with a run without faults. */
export function describeChaos(name: string, { documents, fixedSeeds, hasEngine }: ChaosSuite): void {
  const [from, count] = [Number(process.env.CHAOS_FROM ?? 1), Number(process.env.CHAOS_SEEDS ?? 0)]
  const seeds = count > 0 ? Array.from({ length: count }, (_, i) => from + i) : fixedSeeds

  describeOwnBroker(name, (libs) => {
    let cluster: Cluster
    let folder: string
    let expected: ReadonlyMap<string, Outcome>
    const paths: { path: string; name: string }[] = []

    const run = async (seed: number, calm = false) => {
      const [broker] = cluster.brokers
      if (!broker) throw new Error('fault injection: the cluster has no broker')
      const drawn = faultPlan(seed, documents.length, sessionMs, hasEngine)
      const submissions = documents.map((_, document) => ({ document, atMs: 0 }))
      const plan = calm ? { ...drawn, workers: [stageNames], faults: [], engine: [], submissions, store: noFaults } : drawn
      const storeUrl = pathToFileURL(join(folder, `store-${seed}`)).href
      return { plan, result: await runSeed({ plan, broker, storeUrl, paths, hasEngine, ...(!calm && { expected }) }) }
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
          const figures = { seed, hasEngine, seconds, endedAlone, repeated, violations, faults: faultCounts(plan) }
          await appendFile(process.env.CHAOS_RESULTS, `${JSON.stringify(figures)}\n`)
        }
        if (violations.length > 0) process.stderr.write(`seed ${seed}: ${JSON.stringify(plan, null, 1)}\n${result.said.join('\n')}\n`)
        expect(violations).toEqual([])
      },
      seedMs,
    )
  })
}
