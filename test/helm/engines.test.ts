import { expect, it } from 'vitest'
import { type Config, configSchema } from '../../src/config/config.ts'
import { serverCommand } from '../../src/runtime/vlm/engines/managed/server-command.ts'
import type { ServerKind } from '../../src/runtime/vlm/engines/managed/server-plan.ts'
import { describeHelm, type Rendering, render } from '../support/helm/chart.ts'
import { type Container, deployment, type Manifest, manifest, podsOf } from '../support/helm/manifest.ts'

const configOf = (manifests: readonly Manifest[], name = 'docs-pagestream-reader'): Config =>
  configSchema.parse(JSON.parse(manifest(manifests, 'ConfigMap', name).data?.['pagestream.json'] ?? ''))

const sidecarOf = (manifests: readonly Manifest[], name = 'docs-pagestream-reader'): Container | undefined =>
  deployment(manifests, name).pod.initContainers?.find((container) => container.name === 'engine')

const devices = ({ resources }: Container): Record<string, unknown> =>
  Object.fromEntries(Object.entries(resources?.limits ?? {}).filter(([name]) => name.includes('/')))

/** What pagestream itself would start on a large GPU. */
const planned = (kind: ServerKind, model = 'opendatalab/MinerU2.5-Pro-2605-1.2B') =>
  serverCommand(
    { kind, command: kind, prefix: kind === 'vllm' ? ['serve'] : [], version: '0.11.0', hasMineruProcessor: true },
    {
      ...{ family: 'mineru2.5', model, projector: kind === 'llama-server' ? '/models/mmproj.gguf' : '' },
      ...{ host: '0.0.0.0', port: 8000, slots: 0, arguments: [], platform: 'linux' },
      ...{ device: { kind: 'cuda', memoryBytes: 80e9, computeCapability: 9 } },
    },
  )

const flags = (list: readonly string[]) => Object.fromEntries(list.flatMap((word, at) => (word.startsWith('-') ? [[word, list[at + 1]]] : [])))

describeHelm('engines of the chart', () => {
  it('use no GPU and no server in the CPU-only preset', () => {
    const { manifests } = render({ presets: ['values-cpu.yaml'] })
    for (const { pod } of podsOf(manifests)) for (const container of [...pod.containers, ...(pod.initContainers ?? [])]) expect(devices(container)).toEqual({})
    for (const { metadata } of manifests.filter(({ kind }) => kind === 'Deployment')) {
      const { device, vlm, models } = configOf(manifests, metadata.name)
      expect({ device, family: vlm.family, providers: models.providers }).toEqual({ device: 'cpu', family: 'none', providers: ['cpu'] })
    }
  })

  it.each([
    ['values-gpu.yaml', 'nvidia.com/gpu'],
    ['values-mig.yaml', 'nvidia.com/mig-1g.10gb'],
    ['values-time-slicing.yaml', 'nvidia.com/gpu.shared'],
  ])('stand beside the worker, with one device each, and stop after it: %s', (preset, resource) => {
    const { manifests } = render({ presets: [preset] })
    const engine = sidecarOf(manifests)
    expect(engine && devices(engine)).toEqual({ [resource]: 1 })
    expect(engine?.restartPolicy).toBe('Always')
    const { pod, spec, worker } = deployment(manifests, 'docs-pagestream-reader')
    expect(devices(worker)).toEqual({})
    expect(configOf(manifests)).toMatchObject({ device: 'cpu', vlm: { engine: { urls: ['http://127.0.0.1:8000'], managed: false } } })
    // No pod waits for a device that the one before it still holds.
    expect(spec.strategy).toMatchObject({ rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } })
    const { worker: own, vlm } = configOf(manifests)
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(own.drainMs / 1000 + 15 + 20)
    const { periodSeconds = 0, failureThreshold = 0 } = engine?.startupProbe ?? {}
    expect(periodSeconds * failureThreshold * 1000).toBeGreaterThanOrEqual(vlm.engine.startMs)
    for (const name of ['page-render', 'text-finder', 'assemble']) {
      expect(sidecarOf(manifests, `docs-pagestream-${name}`)).toBeUndefined()
      expect(configOf(manifests, `docs-pagestream-${name}`).vlm.family).toBe('mineru2.5')
    }
  })

  it('are started with what pagestream itself would start them with', () => {
    const engine = sidecarOf(render({ presets: ['values-gpu.yaml'] }).manifests)
    const args = [...(engine?.command?.slice(1) ?? []), ...(engine?.args ?? [])]
    const own = planned('vllm')
    expect(args.slice(0, 2)).toEqual(own.arguments.slice(0, 2))
    // The image of the makers has no guard of its own against loops. And a GPU of its own may be used up further than one where others are.
    const { '--logits-processors': guard, '--gpu-memory-utilization': share, ...rest } = flags(own.arguments)
    expect(guard).toBe('mineru_vl_utils:MinerULogitsProcessor')
    const { '--gpu-memory-utilization': ours, ...others } = flags(args)
    expect(others).toEqual(rest)
    expect(Number(ours)).toBeGreaterThan(Number(share))
    const variables = new Map((engine?.env ?? []).map(({ name, value }) => [name, value]))
    for (const name of ['OMP_NUM_THREADS', 'DO_NOT_TRACK']) expect(variables.get(name)).toBe(own.environment[name])
  })

  it.each<ServerKind>(['vllm', 'sglang', 'lmdeploy', 'llama-server'])('are told model, address and key as their kind wants it: %s', (kind) => {
    const model = kind === 'llama-server' ? '/models/weights.gguf' : 'some/model'
    const engine = { kind, model, ...(kind === 'llama-server' && { projector: '/models/mmproj.gguf' }) }
    const values = { config: { vlm: { engine } }, secrets: { engineApiKey: { existingSecret: 'engine' } } }
    const container = sidecarOf(render({ presets: ['values-gpu.yaml'], values }).manifests)
    const args = container?.args ?? []
    const wanted = planned(kind, model).arguments
    const address = Object.entries(flags(wanted)).filter(([, value]) => ['0.0.0.0', '8000', '/models/mmproj.gguf'].includes(value ?? ''))
    expect(address.length).toBeGreaterThan(1)
    for (const [flag, value] of address) expect(flags(args)[flag]).toBe(value)
    const before = (list: readonly string[]) => list[list.indexOf(model) - 1] ?? ''
    const flag = before(wanted)
    expect(before(args)).toBe(flag.startsWith('-') ? flag : '')
    const key = container?.env?.find(({ valueFrom }) => valueFrom?.secretKeyRef?.name === 'engine')?.name
    if (args.includes('$(ENGINE_API_KEY)')) expect(key).toBe('ENGINE_API_KEY')
    else expect(key).toMatch(/^(VLLM|LLAMA)_API_KEY$/)
  })

  it('are addressed one by one where they stand apart, and waited for while they load', () => {
    const { manifests } = render({ presets: ['values-gpu-service.yaml'], values: { engine: { service: { replicas: 3 } } } })
    const { spec } = manifest(manifests, 'StatefulSet', 'docs-pagestream-engine')
    expect(spec?.replicas).toBe(3)
    const service = manifest(manifests, 'Service', spec?.serviceName ?? '')
    const { vlm, worker } = configOf(manifests)
    expect(vlm.engine.urls).toEqual([0, 1, 2].map((index) => `http://docs-pagestream-engine-${index}.${service.metadata.name}.reading.svc:8000`))
    expect(worker.patienceMs).toBeGreaterThanOrEqual(vlm.engine.startMs)
    expect(sidecarOf(manifests)).toBeUndefined()
    const [engine] = spec?.template?.spec.containers ?? []
    expect(engine && devices(engine)).toEqual({ 'nvidia.com/gpu': 1 })
  })

  it('are elsewhere, or started by the worker on its own device', () => {
    expect(configOf(render({ presets: ['values-external.yaml'] }).manifests).vlm.engine).toMatchObject({
      urls: ['http://vllm.models.svc:8000'],
      managed: false,
    })
    const managed = render({ presets: ['values-managed.yaml'] }).manifests
    expect(configOf(managed)).toMatchObject({ device: 'cuda:0', vlm: { engine: { managed: true, urls: [] } } })
    expect(devices(deployment(managed, 'docs-pagestream-reader').worker)).toEqual({ 'nvidia.com/gpu': 1 })
    const part = { workers: { reader: { gpu: { count: 1, resource: 'nvidia.com/mig-2g.20gb' } } } }
    expect(configOf(render({ presets: ['values-managed.yaml'], values: part }).manifests).device).toBe('auto')
  })

  it('keep weights on the claim where there is one', () => {
    const values = { modelCache: { models: ['pp-ocrv6-small-rec'], claim: { create: true } } }
    const { manifests } = render({ presets: ['values-gpu.yaml'], values })
    const engine = sidecarOf(manifests)
    expect(engine?.env?.find(({ name }) => name === 'HF_HOME')?.value).toBe('/models/huggingface')
    expect(engine?.volumeMounts).toContainEqual({ name: 'models', mountPath: '/models' })
    expect(manifest(manifests, 'PersistentVolumeClaim', 'docs-pagestream-models').metadata.annotations).toMatchObject({ 'helm.sh/resource-policy': 'keep' })
    const [first] = deployment(manifests, 'docs-pagestream-reader').pod.initContainers ?? []
    expect(first?.args).toEqual(['models', 'verify', 'pp-ocrv6-small-rec'])
    expect(first?.volumeMounts).toContainEqual({ name: 'models', mountPath: '/models', readOnly: true })
    const job = manifests.find(({ kind, metadata }) => kind === 'Job' && metadata.name.startsWith('docs-pagestream-models-'))
    expect(job?.spec?.template?.spec.containers[0]?.args).toEqual(['models', 'fetch', 'pp-ocrv6-small-rec'])
    expect(configOf(manifests).models.directory).toBe('/models/pagestream')
  })

  it('fetch models into the pod where there is no claim', () => {
    const { manifests } = render({ values: { modelCache: { models: ['pp-ocrv6-small-rec'] } } })
    const { pod, worker } = deployment(manifests, 'docs-pagestream-text-finder')
    expect(pod.initContainers?.map(({ args }) => args)).toEqual([['models', 'fetch', 'pp-ocrv6-small-rec']])
    expect(worker.volumeMounts).toContainEqual({ name: 'models', mountPath: '/models', readOnly: true })
    expect(manifests.filter(({ kind, metadata }) => kind === 'Job' && metadata.name.includes('-models-'))).toEqual([])
  })

  const family = { config: { vlm: { family: 'mineru2.5' } } }
  it.each<[string, Rendering, string]>([
    ['a family without an engine', { values: family }, 'engine.mode is none, and config.vlm.family is mineru2.5'],
    ['an engine without a family', { values: { engine: { mode: 'sidecar' } } }, 'config.vlm.family is none'],
    ['external without an address', { values: { ...family, engine: { mode: 'external' } } }, 'engine.urls is empty'],
    [
      'an address for a server of our own',
      { values: { ...family, engine: { mode: 'service', urls: ['http://x'] } } },
      'engine.urls is for engine.mode external',
    ],
    ['a server without a model', { values: { ...family, engine: { mode: 'sidecar' } } }, 'config.vlm.engine.model is empty'],
    [
      'heading levels without a server there',
      { presets: ['values-gpu.yaml'], values: { config: { vlm: { titleLevels: true } } } },
      'workers.assemble has no server',
    ],
  ])('refuse %s', (_, rendering, sentence) => {
    const { status, said } = render(rendering)
    expect(status).toBe(1)
    expect(said).toContain(sentence)
  })
})
