// `node committing-member.mjs CONFIG`: a member of group `zombies` that says what it is told and commits when it is asked to, under the first epoch
// in which it was given records: offset 2 of partition 0.
import { createInterface } from 'node:readline'
import { KafkaBus } from '../../../dist/consumers/kafka/kafka-bus.js'

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`)
const bus = await KafkaBus.connect(JSON.parse(process.argv[2]), 'live')
let first
const subscription = await bus.subscribe(
  { group: 'zombies', topics: ['dead-letter'] },
  {
    records({ epoch, records }) {
      first ??= epoch
      say({ epoch, records: records.length })
    },
    assigned: (epoch, partitions) => say({ epoch, assigned: partitions.length }),
    revoked: () => {},
    fatal: (error) => say({ fatal: error.message }),
  },
)
for await (const _ of createInterface({ input: process.stdin })) {
  say({ answer: await subscription.commit(first, [{ topic: 'dead-letter', partition: 0, offset: 2n }]).catch((error) => error.code) })
}
