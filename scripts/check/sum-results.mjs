// Adds up what ran: `node scripts/check/sum-results.mjs FOLDER`. Names every failed and skipped test and step; the last line is
// `N passed, N failed[, N skipped]`. Exit code 1 when anything failed or a tier left no result.
//
// FOLDER holds steps.tsv (`name \t passed|failed|skipped \t remark \t file that counts it`, one line a step), checks.json (of check/run.mjs)
// and tests.json, helm.json, e2e.json (of vitest). Every check and test counts as one, and so does a step that has no such file.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.argv[2] ?? '.'
const totals = { passed: 0, failed: 0, skipped: 0 }
const failures = []
const skips = []

function count(outcome, name, remark = '') {
  totals[outcome]++
  if (outcome === 'failed') failures.push(`${name}${remark ? `: ${remark}` : ''}`)
  if (outcome === 'skipped') skips.push(`${name}${remark ? `: ${remark}` : ''}`)
}

const readJson = (name) => (existsSync(join(folder, name)) ? JSON.parse(readFileSync(join(folder, name), 'utf8')) : undefined)

const stepLines = existsSync(join(folder, 'steps.tsv')) ? readFileSync(join(folder, 'steps.tsv'), 'utf8').trim().split('\n') : []
const steps = stepLines.map((line) => line.split('\t')).map(([name, outcome, remark, countedBy]) => ({ name, outcome, remark, countedBy }))
for (const step of steps) if (!step.countedBy) count(step.outcome, step.name, step.remark)

const checks = readJson('checks.json')
if (!checks) count('failed', 'checks', 'left no result')
for (const check of checks ?? []) count(check.ok ? 'passed' : 'failed', `check: ${check.name}`)

/** One vitest report: tests by the tier they belong to, plus files that could not be loaded at all. */
function countTests(name, tiers) {
  const report = readJson(name)
  const seen = new Map(tiers.map((tier) => [tier, { passed: 0, failed: 0, skipped: 0 }]))
  for (const file of report?.testResults ?? []) {
    const tier = tiers.find((candidate) => file.name.includes(`/test/${candidate}/`)) ?? tiers[0]
    const ofTier = seen.get(tier)
    for (const test of file.assertionResults) {
      const outcome = test.status === 'passed' || test.status === 'failed' ? test.status : 'skipped'
      ofTier[outcome]++
      count(outcome, `${tier}: ${test.fullName}`)
    }
    if (file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed')) {
      ofTier.failed++
      count('failed', `${tier}: ${file.name}`, 'could not be run')
    }
  }
  for (const [tier, { passed, failed, skipped }] of seen) {
    console.log(`${tier} tests: ${passed} passed, ${failed} failed, ${skipped} skipped`)
    if (passed + failed + skipped === 0) count('failed', `${tier} tests`, 'none ran')
  }
}

countTests('tests.json', ['unit', 'integration'])
if (!steps.some((step) => step.name === 'e2e tests' && step.outcome === 'skipped')) countTests('e2e.json', ['e2e'])
if (steps.some((step) => step.name === 'npm run test:helm')) countTests('helm.json', ['helm'])

/** A step that fails although all it counts passed: an error outside of any test. */
const broken = steps.filter((step) => step.countedBy && step.outcome === 'failed')
if (totals.failed === 0) for (const step of broken) count('failed', step.name, step.remark)

for (const name of skips) console.log(`skipped  ${name}`)
for (const name of failures) console.log(`FAILED   ${name}`)
console.log(`${totals.passed} passed, ${totals.failed} failed${totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''}`)
if (totals.failed > 0 || totals.passed === 0) process.exitCode = 1
