import { expect, it } from 'vitest'
import { configSchema } from '../../../../src/config/config.ts'
import { changesOf } from '../../../../src/consumers/kafka/topic-changes.ts'
import { type TopicSpec, wantedTopics } from '../../../../src/consumers/kafka/topic-plan.ts'
import type { TopicName } from '../../../../src/schema/topics.ts'

const { kafka } = configSchema.parse({ kafka: { partitions: 6 } })

function wanted(topic: TopicName): TopicSpec {
  const spec = wantedTopics(kafka).find((each) => each.topic === topic)
  if (!spec) throw new Error(`nobody wants ${topic}`)
  return spec
}

/** A topic as the configuration wants it, but for what is said otherwise. */
const stateOf = ({ name, partitions, replicationFactor, settings }: TopicSpec) => ({
  ...{ name, partitions, replicationFactor, settings: new Map(Object.entries(settings)) },
})

it('changes nothing of a topic that is as it should be, and makes one that is not there', () => {
  for (const spec of wantedTopics(kafka)) {
    expect(changesOf(spec, stateOf(spec))).toEqual([])
    expect(changesOf(spec, undefined)).toEqual([{ kind: 'create', spec }])
  }
})

it('grows a topic, and never shrinks one', () => {
  const spec = wanted('documents')
  expect(changesOf(spec, { ...stateOf(spec), partitions: 4 })).toEqual([{ kind: 'grow', name: spec.name, from: 4, to: 6 }])
  expect(changesOf(spec, { ...stateOf(spec), partitions: 8 })).toEqual([{ kind: 'keep', name: spec.name, what: 'partitions', has: 8, wanted: 6 }])
})

it('leaves a compacted topic its partitions, as more of them would part a key from its last word', () => {
  const spec = wanted('chunks')
  expect(changesOf(spec, { ...stateOf(spec), partitions: 4 })).toEqual([{ kind: 'keep', name: spec.name, what: 'partitions', has: 4, wanted: 6 }])
})

it('sets what differs, and leaves the number of copies to people', () => {
  const spec = wanted('blocks')
  const state = stateOf(spec)
  state.settings.set('retention.ms', '1')
  expect(changesOf(spec, { ...state, replicationFactor: 9 })).toEqual([
    { kind: 'keep', name: spec.name, what: 'replicationFactor', has: 9, wanted: spec.replicationFactor },
    { kind: 'set', name: spec.name, key: 'retention.ms', from: '1', to: String(kafka.retentionHours * 3_600_000) },
  ])
})
