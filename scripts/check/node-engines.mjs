// No dependency asks for a newer Node than package.json promises to run on.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const read = (name) => JSON.parse(readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), 'utf8'))

const numbers = (version) => version.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : 0))

/** Negative, zero or positive, as `a` is below, at or above `b`; missing parts are 0. */
function compare(a, b) {
  for (let i = 0; i < 3; i++) if ((a[i] ?? 0) !== (b[i] ?? 0)) return (a[i] ?? 0) - (b[i] ?? 0)
  return 0
}

/** One comparator (`>=18`, `^20.19.0`, `~20.1`, `20.x`, `*`); pre-releases are not looked at. */
function meets(version, comparator) {
  const [, sign, text] = /^(>=|<=|>|<|\^|~|=)?\s*v?(.*)$/.exec(comparator) ?? []
  if (text === undefined || text === '' || text === '*' || text === 'x') return true
  const bound = numbers(text.split('-')[0])
  const order = compare(version, bound)
  if (sign === '>=') return order >= 0
  if (sign === '>') return order > 0
  if (sign === '<=') return order <= 0
  if (sign === '<') return order < 0
  if (sign === '^') return order >= 0 && version[0] === bound[0]
  if (sign === '~') return order >= 0 && version[0] === bound[0] && version[1] === (bound[1] ?? version[1])
  const given = text.split('.').filter((part) => /^\d+$/.test(part)).length
  return bound.slice(0, given).every((part, i) => part === version[i])
}

/** A range: alternatives by `||`, within one all comparators hold. */
const satisfies = (version, range) =>
  range.split('||').some((alternative) =>
    alternative
      .trim()
      .replace(/(>=|<=|>|<|\^|~)\s+/g, '$1')
      .split(/\s+/)
      .every((comparator) => meets(version, comparator)),
  )

const promised = read('package.json').engines.node
const lowest = numbers(promised.replace(/^>=\s*/, ''))
const packages = Object.entries(read('package-lock.json').packages).filter(([path]) => path !== '')
const refused = packages.filter(([, value]) => typeof value.engines?.node === 'string' && !satisfies(lowest, value.engines.node))
for (const [path, value] of refused) console.error(`${path}@${value.version} needs Node ${value.engines.node}, package.json promises ${promised}`)
console.log(`${packages.length} packages, ${refused.length} that do not run on Node ${promised}`)
if (packages.length === 0 || refused.length > 0) process.exitCode = 1
