import type { TopicSpec } from './topic-plan.ts'

/** One difference between what the configuration wants and what the cluster has. */
export type TopicChange =
  | { readonly kind: 'create'; readonly spec: TopicSpec }
  | { readonly kind: 'grow'; readonly name: string; readonly from: number; readonly to: number }
  | { readonly kind: 'set'; readonly name: string; readonly key: string; readonly from: string; readonly to: string }
  /** Nothing is done: it would lose data, break the order of keys, or cannot be done. */
  | { readonly kind: 'keep'; readonly name: string; readonly what: 'partitions' | 'replicationFactor'; readonly has: number; readonly wanted: number }

export interface TopicState {
  readonly name: string
  readonly partitions: number
  readonly replicationFactor: number
  readonly settings: ReadonlyMap<string, string>
}

/** What separates a topic from what the configuration wants of it; without a state it is not there. */
export function changesOf(spec: TopicSpec, state: TopicState | undefined): TopicChange[] {
  if (!state) return [{ kind: 'create', spec }]
  const { name, partitions, replicationFactor, settings } = spec
  const changes: TopicChange[] = []
  // More partitions put keys elsewhere: the last word on a chunk would stand beside an older one that nothing takes back.
  const mayGrow = state.partitions < partitions && settings['cleanup.policy'] !== 'compact'
  if (mayGrow) changes.push({ kind: 'grow', name, from: state.partitions, to: partitions })
  else if (state.partitions !== partitions) changes.push({ kind: 'keep', name, what: 'partitions', has: state.partitions, wanted: partitions })
  if (state.replicationFactor !== replicationFactor) {
    changes.push({ kind: 'keep', name, what: 'replicationFactor', has: state.replicationFactor, wanted: replicationFactor })
  }
  for (const [key, to] of Object.entries(settings)) {
    const from = state.settings.get(key) ?? ''
    if (from !== to) changes.push({ kind: 'set', name, key, from, to })
  }
  return changes
}
