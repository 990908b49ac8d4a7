import { loadConfig } from '../config/load-config.ts'
import { TopicAdmin } from '../consumers/kafka/topic-admin.ts'
import type { TopicChange } from '../consumers/kafka/topic-changes.ts'
import { counted } from './counted.ts'
import { print } from './print.ts'
import type { TopicsFlags } from './topics-command.ts'

/** Runs `pagestream topics`; answers with the exit code. */
export async function runTopics(what: 'plan' | 'apply' | 'describe', flags: TopicsFlags): Promise<number> {
  await using admin = await TopicAdmin.connect(loadConfig({ file: flags.config }).kafka)
  if (what === 'describe') {
    for (const { name, partitions, replicationFactor, settings } of await admin.describe()) {
      if (flags.json) print(JSON.stringify({ name, partitions, replicationFactor, settings: Object.fromEntries(settings) }))
      else print(`${name}  ${counted(partitions, 'partition')}, ${counted(replicationFactor, 'copy', 'copies')}, ${settings.get('cleanup.policy')}`)
    }
    return 0
  }
  const changes = what === 'plan' ? await admin.plan() : await admin.apply()
  for (const change of changes) print(flags.json ? JSON.stringify(change) : lineOf(change))
  if (changes.length === 0 && !flags.json) print('nothing to change')
  return 0
}

function lineOf(change: TopicChange): string {
  switch (change.kind) {
    case 'create': {
      const { name, partitions, replicationFactor, settings } = change.spec
      const options = Object.entries(settings).map(([key, value]) => `${key}=${value}`)
      return `create  ${name}  ${counted(partitions, 'partition')}, ${counted(replicationFactor, 'copy', 'copies')}, ${options.join(' ')}`
    }
    case 'grow':
      return `grow    ${change.name}  ${change.from} → ${change.to} partitions`
    case 'set':
      return `set     ${change.name}  ${change.key}: ${change.from} → ${change.to}`
    case 'keep':
      return `keep    ${change.name}  ${change.what} ${change.has}, wanted ${change.wanted}: not changed by this command`
  }
}
