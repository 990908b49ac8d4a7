// Makes few files of many: `dist/bundle/cli.js` and `dist/bundle/index.js` are what users start and import. Loading hundreds of modules one
// by one takes longer than reading a page. The modules under `dist/` stay: tests import them one at a time.
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const outDir = `${dist}bundle/`

/** Packages with native parts or files of their own stay packages; so do those that only stores in buckets, engines over HTTP, traces and logs in JSON load. */
const external = ['sharp', 'onnxruntime-node', '@aws-sdk/client-s3', 'undici', 'koffi', 'pino', /^@opentelemetry\/(?!api$)/]

/** Schemas only declare: those that an entry does not use are left out, or wait in a file of their own until they are imported. */
const treeshake = { moduleSideEffects: [{ test: /\/dist\/schema\//, sideEffects: false }] }

const threadEntry = /new URL\('(\.[^']+-worker\.js)', import\.meta\.url\)/g
const threadScripts = new Set()

/** Scripts that load a package which is an ES module and nothing else stay modules; they are started as they are. */
const moduleScripts = new Set(['text-model-worker'])

/** A thread's script, named by `new URL('./x-worker.js', import.meta.url)`, is bundled too, and started from beside the bundle that names it. */
const threadEntries = {
  name: 'thread-entries',
  transform: (code, id) =>
    code.replace(threadEntry, (_, path) => {
      const script = fileURLToPath(new URL(path, pathToFileURL(id)))
      threadScripts.add(script)
      const name = nameOf(script)
      return `new URL('./${moduleScripts.has(name) ? `${name}.mjs` : `start-${name}.cjs`}', import.meta.url)`
    }),
}

const nameOf = (script) => script.slice(script.lastIndexOf('/') + 1, -'.js'.length)

/** Bundles entries `{ name: file }` together; answers with what was written. */
async function write(input, format = 'cjs') {
  const bundle = await rolldown({ input, platform: 'node', external, treeshake, plugins: [threadEntries] })
  const { output } = await bundle.write({
    dir: outDir,
    format,
    ...(format === 'cjs' && { dynamicImportInCjs: false }),
    entryFileNames: format === 'cjs' ? '[name].cjs' : '[name].mjs',
    chunkFileNames: '[name]-[hash].cjs',
  })
  await bundle.close()
  for (const { fileName } of output) written.add(fileName)
  return output
}

function writeText(name, text) {
  writeFileSync(`${outDir}${name}`, text)
  written.add(name)
}

const written = new Set()
const chunks = await write({ cli: `${dist}cli/main.js`, index: `${dist}index.js` })
await write({ start: `${dist}runtime/start/start-script.js` })
// One by one: a thread loads one file, and shares none with the others.
for (const script of threadScripts) {
  const name = nameOf(script)
  await write({ [name]: script }, moduleScripts.has(name) ? 'es' : 'cjs')
  if (!moduleScripts.has(name)) writeText(`start-${name}.cjs`, `require('./start.cjs').startScript(require.resolve('./${name}.cjs'))\n`)
}
writeText(
  'cli.js',
  `#!/usr/bin/env node
import { fileURLToPath } from 'node:url'
import start from './start.cjs'

start.startScript(fileURLToPath(new URL('./cli.cjs', import.meta.url)))
`,
)
const { exports: names } = chunks.find(({ fileName }) => fileName === 'index.cjs')
writeText('index.js', `import index from './index.cjs'\n\nexport const { ${names.join(', ')} } = index\n`)
for (const file of readdirSync(outDir)) if (!written.has(file)) rmSync(`${outDir}${file}`)
