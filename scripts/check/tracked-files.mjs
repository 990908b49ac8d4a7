// What must not stand in tracked files: registry hosts, paths of one machine, binary weights, conflict marks.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)

const largestBytes = 3 * 1024 ** 2

/** Written in pieces so that this file does not accuse itself. */
const rules = [
  { name: 'a registry host in the lock file', files: /(^|\/)package-lock\.json$/, pattern: /"resolved":\s*"https?:/ },
  { name: 'a registry host', files: /./, pattern: new RegExp(['registry\\.npm', 'js\\.org|npm', 'mirror\\.com|pypi', '\\.org/simple'].join('')) },
  { name: 'a path of one machine', files: /./, pattern: new RegExp(['(?<![\\w.])/(?:work|home/\\w+|', 'root|Users/\\w+)/(?!\\*)'].join('')) },
  { name: 'a conflict mark', files: /./, pattern: new RegExp(`^${'<'.repeat(7)} |^${'>'.repeat(7)} `, 'm') },
]
const weights = /\.(onnx|gguf|safetensors|pt|bin)$/
const isText = (bytes) => !bytes.subarray(0, 8000).includes(0)

const offences = []
for (const name of tracked) {
  const path = `${root}${name}`
  if (!existsSync(path) || !statSync(path).isFile()) continue
  if (weights.test(name)) offences.push(`${name}: model weights are fetched, not tracked`)
  const bytes = readFileSync(path)
  if (bytes.length > largestBytes) offences.push(`${name}: ${bytes.length} bytes, at most ${largestBytes} are tracked`)
  if (!isText(bytes)) continue
  const text = bytes.toString('utf8')
  for (const rule of rules) {
    if (!rule.files.test(name)) continue
    const line = text.split('\n').findIndex((candidate) => rule.pattern.test(candidate))
    if (line >= 0) offences.push(`${name}:${line + 1}: ${rule.name}`)
  }
}
for (const offence of offences) console.error(offence)
console.log(`${tracked.length} tracked files, ${offences.length} offences`)
if (tracked.length === 0 || offences.length > 0) process.exitCode = 1
