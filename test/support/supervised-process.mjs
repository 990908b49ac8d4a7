// A stand-in for a worker process: says what it was started with, and ends as it is told.
// Argument 1: a folder; the file `<CUDA_VISIBLE_DEVICES>.json` there says how it behaves: { "ends": [codes of its first lives], "stubborn": true }.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.env.SUPERVISED_FOLDER
const device = process.env.CUDA_VISIBLE_DEVICES
const behaviour = join(folder, `${device}.json`)
const lives = join(folder, `${device}.lives`)
const { ends = [], stubborn = false } = existsSync(behaviour) ? JSON.parse(readFileSync(behaviour, 'utf8')) : {}
const life = existsSync(lives) ? readFileSync(lives, 'utf8').trim().split('\n').length : 0
appendFileSync(
  lives,
  `${JSON.stringify({ pid: process.pid, order: process.env.CUDA_DEVICE_ORDER, restarts: process.env.PAGESTREAM_RESTARTS, service: process.env.OTEL_SERVICE_NAME, arguments: process.argv.slice(2) })}\n`,
)

if (life < ends.length) process.exit(ends[life])
process.on('SIGTERM', () => {
  if (!stubborn) process.exit(0)
})
process.once('disconnect', () => process.exit(0))
setInterval(() => {}, 1000)
console.error(`ready: life ${life}`)
