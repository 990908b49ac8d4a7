// Writes docs/engines.md: prose from scripts/engines/*.md, and between them the command of each server, from the code that starts it. `--check` only compares.
import { readFileSync } from 'node:fs'
import { shippedManifest } from '../dist/runtime/models/manifest.js'
import { llamaPackageHint } from '../dist/runtime/text-model/llama-package.js'
import { dialectFor } from '../dist/runtime/vlm/engines/http/dialects/dialect-for.js'
import { installHint } from '../dist/runtime/vlm/engines/managed/install-hint.js'
import { serverCommand } from '../dist/runtime/vlm/engines/managed/server-command.js'
import { defaultPorts, serverKinds } from '../dist/runtime/vlm/engines/managed/server-plan.js'
import { vlmFamilies } from '../dist/runtime/vlm/page-reader.js'
import { writeGenerated } from './generated-file.mjs'

const part = (name) => readFileSync(new URL(`./engines/${name}.md`, import.meta.url), 'utf8').trim()

const programs = {
  vllm: ['vllm', 'serve'],
  sglang: ['python', '-m', 'sglang.launch_server'],
  lmdeploy: ['lmdeploy', 'serve', 'api_server'],
  mlx: ['python', '-m', 'mlx_vlm.server'],
  transformers: ['transformers', 'serve'],
  'llama-server': ['llama-server'],
}
const devices = {
  vllm: { kind: 'cuda', memoryBytes: 24e9, computeCapability: 8.9 },
  sglang: { kind: 'cuda', memoryBytes: 24e9, computeCapability: 9 },
  lmdeploy: { kind: 'cuda', memoryBytes: 24e9, computeCapability: 8.9 },
  mlx: { kind: 'metal', memoryBytes: 32e9 },
  transformers: { kind: 'cuda', memoryBytes: 24e9, computeCapability: 8.9 },
  'llama-server': { kind: 'cuda', memoryBytes: 24e9, computeCapability: 8.9 },
}

/** The command for a pair that goes together; undefined for one that does not. */
function commandOf(family, kind) {
  const [command, ...prefix] = programs[kind]
  const gguf = kind === 'llama-server'
  const plan = {
    ...{ family, model: gguf ? 'MODEL.gguf' : 'MODEL', projector: gguf ? 'MMPROJ.gguf' : '', host: '0.0.0.0', port: defaultPorts[kind] },
    ...{ device: devices[kind], platform: kind === 'mlx' ? 'darwin' : 'linux', slots: 0, arguments: [] },
  }
  try {
    return serverCommand({ kind, command, prefix }, plan)
  } catch {
    return undefined
  }
}

const quoted = (argument) => (/^[\w./:=@,+-]+$/.test(argument) ? argument : `'${argument}'`)

/** As it is typed, a flag with its value a line. */
function shown({ command, arguments: args, environment }) {
  const variables = Object.entries(environment).filter(([name]) => name !== 'PYTHONUNBUFFERED')
  const words = [...variables.map(([name, value]) => `${name}=${value}`), command]
  const lines = [words.join(' ')]
  for (const argument of args) {
    if (argument.startsWith('-') && argument !== '-m') lines.push(`  ${argument}`)
    else lines[lines.length - 1] += ` ${quoted(argument)}`
  }
  return lines.join(' \\\n')
}

const isAble = (family, kind) => {
  try {
    dialectFor(family, kind)
    return true
  } catch {
    return false
  }
}

/** The command as code, and where it goes behind it. */
function installed(hint) {
  const [, command, where] = /^(pip install .*?)((?: with .*)? \([^()]*\))$/.exec(hint) ?? []
  return command === undefined ? `Install: ${hint}` : `Install: \`${command}\`${where}`
}

const title = { 'mineru2.5': 'MinerU2.5', teleocr: 'TeleOCR', 'unlimited-ocr': 'Unlimited-OCR' }

const recipes = (family) =>
  serverKinds.flatMap((kind) => {
    const command = commandOf(family, kind)
    if (!command) return []
    const config = { vlm: { family, engine: { kind, urls: [`http://HOST:${defaultPorts[kind]}`] } } }
    return [
      ...['', `#### ${title[family]} on ${kind}`, '', installed(installHint(kind, family)), ''],
      ...['```sh', shown(command), '```', '', '```json', JSON.stringify(config), '```'],
    ]
  })

/** The models of a family as the manifest has them. */
const models = (family) =>
  shippedManifest()
    .served.filter((model) => model.family === family)
    .map(({ id, title, maker, licence, repository, revision }) => {
      const named = repository === undefined ? 'repository not known here' : `\`${repository}\``
      return `- Model \`${id}\`: ${title}. ${maker}, ${licence}; ${named}, ${revision ?? 'no revision pinned'}, weights without a checksum.`
    })

const table = [
  `| | ${vlmFamilies.map((family) => title[family]).join(' | ')} |`,
  `| --- |${vlmFamilies.map(() => ' --- |').join('')}`,
  ...[...serverKinds, 'openai'].map((kind) => {
    const cells = vlmFamilies.map((family) => {
      if (kind !== 'openai' && commandOf(family, kind)) return 'started or asked'
      return isAble(family, kind) ? 'asked' : 'refused'
    })
    return `| \`${kind}\` | ${cells.join(' | ')} |`
  }),
  '| `llama-cpp` | in a child process | untried | in a child process, with the exact window |',
]

const textModel = part('text-model').replace('INSTALL', installed(llamaPackageHint('linux-x64')))

const families = vlmFamilies.flatMap((family) => ['', `### ${title[family]}`, '', ...models(family), '', part(family), ...recipes(family)])

writeGenerated(
  'docs/engines.md',
  [
    part('overview'),
    ...['', '<!-- Generated by scripts/make-engine-docs.mjs from scripts/engines and from the code that starts servers. -->', ''],
    ...[part('choosing'), '', ...table, '', '## Recipes', '', part('recipes'), ...families, '', part('library'), '', textModel, '', part('running'), ''],
  ].join('\n'),
)
