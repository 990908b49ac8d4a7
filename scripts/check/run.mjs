// Runs every check, says each by name, and fails when one does. `node scripts/check/run.mjs [--json FILE] [name…]`
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))
const bin = (name) => `node_modules/.bin/${name}`

/** `script` is a file of ours run by node; a generator that is not there yet is a failed check, not a skipped one. */
const checks = [
  { name: 'build', command: ['npm', 'run', '--silent', 'build'] },
  { name: 'types', command: [bin('tsc'), '-p', 'tsconfig.json', '--noEmit'] },
  { name: 'lint', command: [bin('biome'), 'check', '--formatter-enabled=false', '--error-on-warnings', '.'] },
  { name: 'format', command: [bin('biome'), 'format', '.'] },
  { name: 'dependency direction', script: ['scripts/check/dependency-direction.mjs'] },
  { name: 'unused code', command: [bin('knip'), '--no-progress'] },
  { name: 'licences', script: ['scripts/check/licences.mjs'] },
  { name: 'node engines', script: ['scripts/check/node-engines.mjs'] },
  { name: 'tracked files', script: ['scripts/check/tracked-files.mjs'] },
  { name: 'generated schemas', script: ['scripts/make-schemas.mjs', '--check'] },
  { name: 'generated viewer assets', script: ['scripts/make-viewer-assets.mjs', '--check'] },
  { name: 'generated samples', script: ['scripts/make-samples.mjs', '--check'] },
  { name: 'generated error pages', script: ['scripts/make-error-docs.mjs', '--check'] },
  { name: 'generated config page', script: ['scripts/make-config-docs.mjs', '--check'] },
  { name: 'generated AsyncAPI', script: ['scripts/make-asyncapi.mjs', '--check'] },
  { name: 'generated metrics page', script: ['scripts/make-metric-docs.mjs', '--check'] },
  { name: 'generated dashboards', script: ['scripts/make-dashboards.mjs', '--check'] },
  { name: 'generated engines page', script: ['scripts/make-engine-docs.mjs', '--check'] },
  { name: 'generated files of the chart', script: ['scripts/make-chart-files.mjs', '--check'] },
]

const timeoutMs = 120_000

function run({ name, command, script }) {
  const [program, ...args] = command ?? [process.execPath, ...script]
  const started = performance.now()
  if (script && !existsSync(`${root}${script[0]}`)) return { name, ok: false, seconds: 0, output: `${script[0]} does not exist` }
  const result = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    timeout: timeoutMs,
    maxBuffer: 64 * 1024 ** 2,
    env: { ...process.env, NO_COLOR: '1' },
  })
  const late = result.error?.code === 'ETIMEDOUT' ? `\nended after ${timeoutMs / 1000} s` : ''
  const output = `${result.stdout ?? ''}${result.stderr ?? ''}${late}`.trim()
  return { name, ok: result.status === 0, seconds: (performance.now() - started) / 1000, output }
}

const { values, positionals } = parseArgs({ options: { json: { type: 'string' } }, allowPositionals: true })
const chosen = positionals.length === 0 ? checks : checks.filter((check) => positionals.includes(check.name))
const results = []
for (const check of chosen) {
  const result = run(check)
  results.push(result)
  console.log(`${result.ok ? 'ok    ' : 'FAILED'}  ${result.name} (${result.seconds.toFixed(1)} s)`)
  if (!result.ok) console.log(result.output.replace(/^/gm, '        '))
}
const failed = results.filter((result) => !result.ok).length
console.log(`${results.length - failed} checks passed, ${failed} failed`)
if (values.json) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`)
if (results.length === 0 || failed > 0) process.exitCode = 1
