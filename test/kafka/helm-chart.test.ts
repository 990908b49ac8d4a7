import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { packageRoot } from '../../src/config/package-root.ts'
import { tryPort } from '../../src/runtime/processes/free-port.ts'
import { eventually } from '../support/bus-contract.ts'
import { helmMissing, render } from '../support/helm/chart.ts'
import { type Container, deployment, type Manifest, manifest, podsOf } from '../support/helm/manifest.ts'
import { commandLine } from '../support/kafka/command-line.ts'
import { startStub } from '../support/kafka/model-chain.ts'
import { describeKafka, testKafkaConfig } from '../support/kafka/test-kafka.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { scannedDocument, shortPage } from '../support/vlm/scanned-document.ts'

/** Runs what a container would run, with what it would be told; only its port is another one, as all are on one machine here. */
async function started(folder: string, manifests: readonly Manifest[], configMap: string, { args = [] }: Container) {
  const file = join(folder, `${configMap}.json`)
  await writeFile(file, manifest(manifests, 'ConfigMap', configMap).data?.['pagestream.json'] ?? '')
  const port = await tryPort('127.0.0.1', 0)
  const process = commandLine(file, { PAGESTREAM_WORKER__PORT: `${port}`, PAGESTREAM_WORKER__HOST: '127.0.0.1' })(...args)
  return { ...process, get: (path: string) => fetch(`http://127.0.0.1:${port}${path}`) }
}

/** The page of `helm test`, and what it prints. */
const ownPage = {
  preset: 'values-cpu.yaml',
  page: () => readFile(join(packageRoot(), 'samples/garbage-text-layer.pdf')),
  says: /complete {2}page\.pdf: 1 page/,
}
/** Pages that the stand-in of a model knows, which listens where the server beside the worker would. */
const scannedPages = {
  preset: 'values-gpu.yaml',
  page: async () => Buffer.from(scannedDocument(shortPage, 0, 2)),
  says: /Heading of page 0 in its first edition[\s\S]*complete {2}page\.pdf: 2 pages/,
}

describeKafka(
  'what the Helm chart runs',
  () => {
    it.each([ownPage, scannedPages])(
      'checks the store, makes the topics, answers its probes, reads a page, and drains within its grace: $preset',
      async ({ preset, page, says }) => {
        const folder = await tempFolder()
        const { brokers, topicPrefix, groupPrefix, sessionTimeoutMs, heartbeatIntervalMs, maxWaitMs, partitions } = testKafkaConfig()
        const stub = preset === scannedPages.preset ? await startStub('mineru2.5', { kind: 'vllm' }) : undefined
        const values = {
          config: {
            kafka: { brokers, topicPrefix, groupPrefix, sessionTimeoutMs, heartbeatIntervalMs, maxWaitMs, partitions, replicationFactor: 1 },
            store: { url: pathToFileURL(join(folder, 'store')).href },
            ...(stub && { vlm: { engine: { model: 'stub-model' } } }),
          },
          store: { existingClaim: 'store' },
          ...(stub && { engine: { server: { port: Number(new URL(stub.url).port) } } }),
        }
        const { manifests, said } = render({ presets: [preset], values })
        expect(said).toBe('')
        for (const job of ['docs-pagestream-store-check', 'docs-pagestream-topics']) {
          const [container] = manifest(manifests, 'Job', job).spec?.template?.spec.containers ?? []
          if (!container) throw new Error(`${job} runs nothing`)
          const { done } = await started(folder, manifests, 'docs-pagestream-hooks', container)
          expect(await done).toMatchObject({ code: 0 })
        }

        const names = manifests.flatMap(({ kind, metadata }) => (kind === 'Deployment' ? [metadata.name] : []))
        const workers = await Promise.all(
          names.map(async (name) => ({ name, ...(await started(folder, manifests, name, deployment(manifests, name).worker)) })),
        )
        for (const { name, get, said: told } of workers) {
          await eventually(() => expect(told.errors).toContain('ready:'), 60_000)
          const { startupProbe, livenessProbe, readinessProbe } = deployment(manifests, name).worker
          for (const probe of [startupProbe, livenessProbe, readinessProbe]) expect((await get(probe?.httpGet.path ?? '')).status, name).toBe(200)
          expect(await (await get('/metrics')).text()).toContain('pagestream_up 1')
        }

        const path = join(folder, 'page.pdf')
        await writeFile(path, Buffer.concat([await page(), Buffer.from('\n% once more\n')]))
        const submit = podsOf(manifests).find(({ kind }) => kind === 'Pod')?.pod.containers[0]
        if (!submit) throw new Error('helm test runs nothing')
        const args = (submit.args ?? []).map((word) => word.replace('/tmp/page.pdf', path))
        const { code, out, errors } = await (await started(folder, manifests, 'docs-pagestream', { ...submit, args })).done
        expect(code, out + errors).toBe(0)
        expect(out).toMatch(says)

        for (const { child } of workers) child.kill('SIGTERM')
        const [graceMs, began] = [
          Math.min(...names.map((name) => deployment(manifests, name).pod.terminationGracePeriodSeconds ?? 0)) * 1000,
          performance.now(),
        ]
        for (const { name, done } of workers) expect((await done).code, name).toBe(0)
        expect(performance.now() - began).toBeLessThan(graceMs)
      },
    )
  },
  helmMissing,
)
