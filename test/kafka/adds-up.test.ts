import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { tryPort } from '../../src/runtime/processes/free-port.ts'
import type { BlockEvent } from '../../src/schema/events.ts'
import { stageNames } from '../../src/schema/stage.ts'
import { eventually } from '../support/bus-contract.ts'
import { commandLine } from '../support/kafka/command-line.ts'
import { modelChain, startStub } from '../support/kafka/model-chain.ts'
import { describeKafka } from '../support/kafka/test-kafka.ts'
import { hasPrometheus, startPrometheus } from '../support/prometheus-server.ts'
import { startS3Server } from '../support/s3-server.ts'

const server = hasPrometheus ? await startS3Server() : { missing: 'prometheus' }
afterAll(() => ('missing' in server ? undefined : server.close()))

const perStage = (pages: number, assemble: number) => Object.fromEntries(stageNames.map((stage) => [stage, stage === 'assemble' ? assemble : pages]))

describeKafka(
  'what Prometheus has of five workers, a broker, a bucket and an engine',
  () => {
    it('adds up to what was done, exactly', { timeout: 180_000 }, async () => {
      if ('missing' in server) throw new Error('no server')
      const stub = await startStub('mineru2.5')
      const { bucket: _, ...store } = await server.bucket()
      const chain = await modelChain('mineru2.5', stub.url, { more: { store } })
      const ports = await Promise.all(stageNames.map(() => tryPort('127.0.0.1', 0)))
      const workers = stageNames.map((stage, index) =>
        commandLine(join(chain.folder, 'config.json'))('worker', '--stage', stage, '--lane', 'live', '--port', `${ports[index]}`),
      )
      for (const { said } of workers) await eventually(() => expect(said.errors).toContain('ready:'), 60_000)
      await using prometheus = await startPrometheus(ports)

      for (const first of [0, 3, 6]) await chain.submit(first, 3)
      await writeFile(join(chain.folder, 'broken.pdf'), '%PDF-1.7\nno document')
      await chain.submitter.send(await chain.submitter.identify(join(chain.folder, 'broken.pdf'), 'broken.pdf'))
      await eventually(
        () => expect([...chain.ended().values()].map(({ status }) => status).sort()).toEqual(['complete', 'complete', 'complete', 'failed']),
        60_000,
      )

      const settled = (expr: string, wanted: Record<string, number>) =>
        vi.waitFor(async () => expect(await prometheus.query(expr), expr).toEqual(wanted), { timeout: 30_000, interval: 250 })
      await settled('sum(pagestream_up)', { '': 5 })
      await settled('sum by (stage) (pagestream_lag_records)', perStage(0, 0))
      // A document that could not be opened is one more event for assemble.
      await settled('sum by (stage) (pagestream_pages_total{outcome="ok"})', perStage(9, 10))
      await settled('sum by (stage) (pagestream_pages_total{outcome="failed"})', perStage(0, 0))
      await settled('sum by (stage) (pagestream_stage_seconds_count)', perStage(9, 10))
      await settled('sum by (stage) (pagestream_stage_seconds_bucket{le="+Inf"})', perStage(9, 10))
      await settled('sum by (stage) (pagestream_window_pages_sum)', perStage(9, 10))
      await settled('sum by (stage) (pagestream_records_total)', { ...perStage(9, 10), 'page-render': 4 })
      await settled('sum by (status) (pagestream_documents_total)', { complete: 3, partial: 0, failed: 1 })
      await settled('sum by (status) (pagestream_document_seconds_count)', { complete: 3, partial: 0, failed: 1 })
      await settled('sum(pagestream_first_page_seconds_count)', { '': 3 })
      await settled('sum by (stage, class) (pagestream_dead_letters_total) > 0', { 'input page-render': 1 })
      const blocks = new Set(chain.of('blocks').flatMap(({ payload }) => ((payload as BlockEvent).early ? [] : (payload as BlockEvent).block.id)))
      expect(blocks.size).toBe(36)
      await settled('sum(pagestream_blocks_total)', { '': 36 })
      await settled('sum by (source) (pagestream_block_sources_total) > 0', { model: 36 })

      const { promptTokens, outputTokens, answered } = stub.counts
      await settled('sum by (kind) (pagestream_vlm_tokens_total{kind!="image"})', { prompt: promptTokens, output: outputTokens })
      await settled('sum(pagestream_vlm_asks_total)', { '': stub.asked })
      await settled('sum(pagestream_vlm_answers_total)', { '': answered })
      await settled('sum(pagestream_vlm_first_token_seconds_count)', { '': answered })

      const [waited] = Object.values(await prometheus.query('sum(pagestream_document_seconds_sum{status="complete"})'))
      expect(waited).toBeGreaterThan(0)
      expect(waited).toBeLessThan(3 * 120)
      for (const { child } of workers) child.kill('SIGTERM')
      for (const { done } of workers) expect((await done).code).toBe(0)
    })
  },
  'missing' in server ? server.missing : undefined,
)
