// `npm run bench -- NAME [--save] [--rounds N]`. Prints the conditions and ends in a ratio.
import { parseArgs } from 'node:util'

const benches = {
  digital: async (options) => (await import('./digital.mjs')).digital(options),
  scanned: async (options) => (await import('./scanned.mjs')).scanned(options),
  start: async (options) => (await import('./start.mjs')).start(options),
  memory: async (options) => (await import('./memory.mjs')).memory(options),
  backfill: async (options) => (await import('./backfill.mjs')).backfill(options),
  'live-under-bulk': async (options) => (await import('./live-under-bulk.mjs')).liveUnderBulk(options),
  'vlm-efficiency': async (options) => (await import('./vlm-efficiency.mjs')).vlmEfficiency(options),
  'telemetry-overhead': async (options) => (await import('./telemetry-overhead.mjs')).telemetryOverhead(options),
  'kafka-overhead': async (options) => (await import('./kafka-overhead.mjs')).kafkaOverhead(options),
}

const { values, positionals } = parseArgs({
  options: { save: { type: 'boolean', default: false }, rounds: { type: 'string' } },
  allowPositionals: true,
})
const bench = benches[positionals[0]]
if (!bench) {
  console.error(`usage: npm run bench -- ${Object.keys(benches).join(' | ')} [--save] [--rounds N]`)
  process.exitCode = 2
} else {
  await bench({ save: values.save, ...(values.rounds ? { rounds: Number(values.rounds) } : {}) })
}
