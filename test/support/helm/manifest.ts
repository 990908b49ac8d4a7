/** Parts of Kubernetes' objects that tests look at; all else is checked against the schemas. */
export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: Metadata
  readonly spec?: Spec
  readonly data?: Readonly<Record<string, string>>
  readonly binaryData?: Readonly<Record<string, string>>
  readonly automountServiceAccountToken?: boolean
  readonly value?: number
}

export interface Metadata {
  readonly name: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}

/** Of Deployments, StatefulSets, Jobs, ScaledObjects and the rest: whatever it is, these are the keys. */
export interface Spec extends Partial<PodSpec> {
  readonly replicas?: number
  readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> }
  readonly template?: { readonly metadata: Metadata; readonly spec: PodSpec }
  readonly strategy?: object
  readonly triggers?: readonly Trigger[]
  readonly minReplicaCount?: number
  readonly maxReplicaCount?: number
  readonly idleReplicaCount?: number
  readonly advanced?: { readonly horizontalPodAutoscalerConfig: { readonly behavior: { readonly scaleDown: ScalingRules } } }
  readonly scaleTargetRef?: { readonly name: string }
  readonly secretTargetRef?: readonly object[]
  readonly groups?: readonly object[]
  readonly podSelector?: object
  readonly ingress?: readonly NetworkRule[]
  readonly egress?: readonly NetworkRule[]
  readonly policyTypes?: readonly string[]
  readonly serviceName?: string
  readonly podMetricsEndpoints?: readonly object[]
}

interface ScalingRules {
  readonly stabilizationWindowSeconds: number
  readonly policies: readonly object[]
}

interface NetworkRule {
  readonly ports?: readonly { readonly port: number | string }[]
  readonly from?: readonly object[]
}

export interface Trigger {
  readonly type: string
  readonly metadata: Readonly<Record<string, string>>
  readonly authenticationRef?: { readonly name: string }
}

export interface PodSpec {
  readonly serviceAccountName?: string
  readonly automountServiceAccountToken?: boolean
  readonly terminationGracePeriodSeconds?: number
  readonly priorityClassName?: string
  readonly securityContext?: object
  readonly containers: readonly Container[]
  readonly initContainers?: readonly Container[]
  readonly volumes?: readonly Volume[]
  readonly topologySpreadConstraints?: readonly { readonly labelSelector: { readonly matchLabels: Readonly<Record<string, string>> } }[]
}

export interface Volume {
  readonly name: string
  readonly emptyDir?: { readonly sizeLimit?: string }
  readonly configMap?: { readonly name: string }
  readonly secret?: { readonly secretName: string }
  readonly persistentVolumeClaim?: { readonly claimName: string }
}

export interface Container {
  readonly name: string
  readonly image: string
  readonly restartPolicy?: string
  readonly command?: readonly string[]
  readonly args?: readonly string[]
  readonly env?: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: { readonly secretKeyRef?: { readonly name: string } } }[]
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
  readonly securityContext?: object
  readonly resources?: { readonly requests?: object; readonly limits?: Readonly<Record<string, string | number>> }
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[]
  readonly startupProbe?: Probe
  readonly livenessProbe?: Probe
  readonly readinessProbe?: Probe
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
  readonly periodSeconds: number
  readonly failureThreshold?: number
}

/** Every pod that a set of manifests starts, with the name of what starts it. */
export function podsOf(
  manifests: readonly Manifest[],
): { readonly name: string; readonly kind: string; readonly labels: Metadata['labels']; readonly pod: PodSpec }[] {
  return manifests.flatMap(({ kind, metadata, spec }) => {
    if (spec?.template) return [{ name: metadata.name, kind, labels: spec.template.metadata.labels, pod: spec.template.spec }]
    return kind === 'Pod' && spec?.containers ? [{ name: metadata.name, kind, labels: metadata.labels, pod: { ...spec, containers: spec.containers } }] : []
  })
}

export const containersOf = ({ containers, initContainers = [] }: PodSpec): Container[] => [...initContainers, ...containers]

/** The one of that kind and name; throws where there is none. */
export function manifest(manifests: readonly Manifest[], kind: string, name: string): Manifest {
  const found = manifests.find((each) => each.kind === kind && each.metadata.name === name)
  if (!found) throw new Error(`no ${kind} ${name} among ${manifests.map((each) => `${each.kind} ${each.metadata.name}`).join(', ')}`)
  return found
}

/** What a worker is told, and how it is run. */
export function deployment(manifests: readonly Manifest[], name: string): { readonly spec: Spec; readonly pod: PodSpec; readonly worker: Container } {
  const { spec } = manifest(manifests, 'Deployment', name)
  const worker = spec?.template?.spec.containers.find((container) => container.name === 'worker')
  if (!spec?.template || !worker) throw new Error(`${name} runs no worker`)
  return { spec, pod: spec.template.spec, worker }
}
