// The chart's own keys, as they stand in values.yaml; `config` and `tuning` follow from the configuration schema.
import { z } from 'zod'

const text = z.string()
const whole = (min, max = 2_147_483_647) => z.number().int().min(min).max(max)
/** What Kubernetes itself checks. */
const anything = z.record(text, z.unknown())
const list = z.array(anything)
const labels = z.record(text, text)
/** `500m`, `2`, `4Gi`. */
const quantity = z.union([text.regex(/^\d+(\.\d+)?(m|k|Ki|M|Mi|G|Gi|T|Ti)?$/), z.number().min(0)])
const size = text.regex(/^\d+(Ki|Mi|Gi|Ti)$/)
const resources = z.strictObject({ requests: z.record(text, quantity), limits: z.record(text, quantity), claims: list }).partial()
const environment = z.array(
  z.strictObject({ name: text.regex(/^[A-Za-z_][A-Za-z0-9_]*$/), value: text, valueFrom: anything }).partial({ value: true, valueFrom: true }),
)
const pullPolicy = z.enum(['Always', 'IfNotPresent', 'Never'])
const image = z.strictObject({ repository: text.min(1), tag: text, digest: text.regex(/^(sha256:[0-9a-f]{64})?$/), pullPolicy }).partial()
const secret = (keys) => z.strictObject({ existingSecret: text, ...Object.fromEntries(keys.map((key) => [key, text])) }).partial()
const budget = z.strictObject({ enabled: z.boolean(), maxUnavailable: z.union([whole(0), text.regex(/^\d{1,3}%$/)]) }).partial()
const gpu = z.strictObject({ count: whole(0, 64), resource: text.regex(/^[a-z0-9.-]+\/[A-Za-z0-9_.-]+$/) }).partial()
const topologySpread = z.array(
  z
    .strictObject({ topologyKey: text.min(1), maxSkew: whole(1), whenUnsatisfiable: z.enum(['DoNotSchedule', 'ScheduleAnyway']) })
    .partial({ maxSkew: true, whenUnsatisfiable: true }),
)
const scaling = z.strictObject({ stabilizationSeconds: whole(0, 3600), pods: whole(1, 10_000), periodSeconds: whole(1, 1800) }).partial()

const placement = { nodeSelector: labels, tolerations: list, affinity: anything, topologySpread, runtimeClassName: text, priorityClassName: text }

const autoscaling = z
  .strictObject({
    enabled: z.boolean(),
    trigger: z.enum(['kafka', 'prometheus']),
    minReplicas: whole(1, 10_000),
    maxReplicas: whole(1, 10_000),
    scaleToZero: z.boolean(),
    lagRecords: whole(1),
    activationLagRecords: whole(0),
    backlogSeconds: whole(1),
    pollingSeconds: whole(1),
    cooldownSeconds: whole(0),
    scaleUp: scaling,
    scaleDown: scaling,
  })
  .partial()

/** A worker; one GPU at most, as a worker takes one. */
const workerShape = (stageNames, tuning) => ({
  enabled: z.boolean(),
  stages: z.array(z.enum(stageNames)),
  replicas: whole(0, 10_000),
  tuning,
  gpu: z.strictObject({ count: whole(0, 1), resource: gpu.shape.resource, device: text }).partial(),
  resources,
  autoscaling,
  podDisruptionBudget: budget,
  rollingUpdate: z.strictObject({ maxSurge: budget.shape.maxUnavailable, maxUnavailable: budget.shape.maxUnavailable }).partial(),
  tmpSize: z.union([z.literal(''), size]),
  drainMarginSeconds: whole(5, 86_400),
  env: environment,
  podAnnotations: labels,
  podLabels: labels,
  ...placement,
  extraVolumes: list,
  extraVolumeMounts: list,
})

const server = z
  .strictObject({
    image,
    command: z.array(text),
    args: z.array(text),
    port: whole(1, 65_535),
    healthPath: text.regex(/^\//),
    gpu,
    resources,
    env: environment,
    sharedMemorySize: size,
    cacheSize: size,
    stopSeconds: whole(0, 3600),
  })
  .partial()

const engine = z
  .strictObject({
    mode: z.enum(['none', 'external', 'service', 'sidecar', 'managed']),
    urls: z.array(text.regex(/^https?:\/\//)),
    server,
    service: z.strictObject({ replicas: whole(1, 1000), podAnnotations: labels, ...placement, podDisruptionBudget: budget }).partial(),
  })
  .partial()

const switched = z.strictObject({ enabled: z.boolean() }).partial()

/** All of values.yaml: `config` and `tuning` are zod schemas that stand in for those of the configuration. */
export function valuesSchema({ stageNames, config, tuning }) {
  const shape = workerShape(stageNames, tuning)
  const oneLane = z.strictObject(shape).partial()
  const worker = z.strictObject({ ...shape, lanes: z.enum(['both', 'live', 'bulk', 'split']), live: oneLane, bulk: oneLane }).partial()
  return z
    .strictObject({
      global: anything,
      nameOverride: text,
      fullnameOverride: text,
      image,
      imagePullSecrets: z.array(z.strictObject({ name: text })),
      config,
      secrets: z
        .strictObject({
          kafkaPassword: secret(['key']),
          kafkaToken: secret(['key']),
          kafkaTls: secret(['ca', 'cert', 'key']),
          storeCredentials: secret(['accessKeyId', 'secretAccessKey']),
          engineApiKey: secret(['key']),
          inputPasswords: secret(['key']),
        })
        .partial(),
      store: z.strictObject({ existingClaim: text }).partial(),
      workers: z.record(text.regex(/^[a-z]([a-z0-9-]{0,28}[a-z0-9])?$/), worker),
      workerDefaults: worker,
      engine,
      modelCache: z
        .strictObject({
          models: z.array(text.min(1)),
          claim: z.strictObject({ create: z.boolean(), existingClaim: text, size, storageClassName: text, accessModes: z.array(text) }).partial(),
        })
        .partial(),
      hooks: z.strictObject({ topics: switched, storeCheck: switched, deadlineSeconds: whole(1), resources }).partial(),
      backfill: z
        .strictObject({
          ...{ enabled: z.boolean(), run: text, archive: text, args: z.array(text), backoffLimit: whole(0) },
          ...{ resources, extraVolumes: list, extraVolumeMounts: list },
        })
        .partial(),
      test: z.strictObject({ enabled: z.boolean(), timeoutSeconds: whole(1) }).partial(),
      keda: z
        .strictObject({
          kafka: z.strictObject({ protocolVersion: text.regex(/^\d+\.\d+\.\d+$/), authenticationRef: text }).partial(),
          prometheus: z.strictObject({ serverAddress: text.regex(/^(https?:\/\/.+)?$/), authenticationRef: text }).partial(),
        })
        .partial(),
      monitoring: z
        .strictObject({
          podMonitor: z
            .strictObject({ enabled: z.boolean(), labels, interval: text.regex(/^\d+(ms|s|m)$/), scrapeTimeout: text.regex(/^\d+(ms|s|m)$/) })
            .partial(),
          prometheusRule: z.strictObject({ enabled: z.boolean(), labels }).partial(),
          dashboards: z.strictObject({ enabled: z.boolean(), labels, annotations: labels }).partial(),
        })
        .partial(),
      networkPolicy: z.strictObject({ enabled: z.boolean(), scrapers: list, restrictEgress: z.boolean(), extraEgress: list }).partial(),
      priorityClasses: z
        .strictObject({ create: z.boolean(), live: whole(-1_000_000_000, 1_000_000_000), bulk: whole(-1_000_000_000, 1_000_000_000) })
        .partial(),
      serviceAccount: z.strictObject({ create: z.boolean(), name: text, annotations: labels }).partial(),
      podSecurityContext: anything,
      env: environment,
      commonLabels: labels,
      checks: z.strictObject({ everyStage: z.boolean() }).partial(),
    })
    .partial()
}
