// Every dependency has a licence that lets pagestream be used freely. Installed packages are read by the licence checker
// (their files, not only what they declare); packages of other platforms by what the lock file says.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { init } from 'license-checker-rseidelsohn'

const root = fileURLToPath(new URL('../..', import.meta.url))

const permissive = [
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'CC-BY-3.0',
  'CC-BY-4.0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]

/** Not permissive, and used all the same: which packages, under which licence, why that is fine. Listed in CONTRIBUTING.md. */
const exceptions = [
  {
    packages: /^@img\/sharp-/,
    licence: 'LGPL-3.0-or-later',
    scope: 'any',
    why: 'libvips as a shared library of its own that anyone can replace; pagestream neither contains nor changes it',
  },
  { packages: /^(@axe-core\/playwright|axe-core)$/, licence: 'MPL-2.0', scope: 'dev', why: 'accessibility tests only, never shipped' },
  { packages: /^lightningcss(-|$)/, licence: 'MPL-2.0', scope: 'dev', why: 'comes with the test runner, never shipped' },
]

const isExcepted = (entry, licence) =>
  exceptions.some((rule) => rule.packages.test(entry.name) && rule.licence === licence && (rule.scope === 'any' || entry.dev))

/** SPDX expressions of the kinds that packages use: names joined by OR and AND, brackets around the whole. */
function isAllowed(entry) {
  const expression = entry.licence.replace(/^\((.*)\)$/, '$1')
  return expression
    .split(/ OR /)
    .some((choice) => choice.split(/ AND /).every((licence) => permissive.includes(licence.trim()) || isExcepted(entry, licence.trim())))
}

const lock = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8')).packages
const locked = Object.entries(lock)
  .filter(([path]) => path !== '')
  .map(([path, value]) => ({
    name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version: value.version,
    licence: value.license ?? 'none declared',
    dev: value.dev === true,
  }))

const found = await promisify(init)({ start: root })
const installed = Object.entries(found).map(([id, value]) => {
  const at = id.lastIndexOf('@')
  const [name, version] = [id.slice(0, at), id.slice(at + 1)]
  const dev = locked.some((entry) => entry.name === name && entry.version === version && entry.dev)
  return { name, version, licence: [value.licenses].flat().join(' AND ').replaceAll('*', ''), dev }
})

const seen = new Set(installed.map((entry) => `${entry.name}@${entry.version}`))
const all = [...installed.filter((entry) => entry.name !== 'pagestream'), ...locked.filter((entry) => !seen.has(`${entry.name}@${entry.version}`))]
const refused = all.filter((entry) => !isAllowed(entry))
for (const entry of refused) console.error(`${entry.name}@${entry.version}: ${entry.licence} (${entry.dev ? 'development' : 'production'})`)
console.log(`${all.length} packages, ${refused.length} with a licence that is not allowed`)
if (all.length === 0 || refused.length > 0) process.exitCode = 1
