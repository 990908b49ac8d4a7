// Makes few files of many: `dist/bundle/cli.js` and `dist/bundle/index.js` are what users start and import. Loading hundreds of modules one
// by one takes longer than reading a page. The modules under `dist/` stay: tests import them one at a time.
import { readdirSync, rmSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const outDir = `${dist}bundle/`

/** Packages with native parts or files of their own stay packages. */
const external = ['sharp', 'onnxruntime-node']

/** Schemas only declare: those that an entry does not use are left out, or wait in a file of their own until they are imported. */
const treeshake = { moduleSideEffects: [{ test: /\/dist\/schema\//, sideEffects: false }] }

const threadEntry = /new URL\('(\.[^']+-worker\.js)', import\.meta\.url\)/g
const threadScripts = new Set()

/** A thread's script, named by `new URL('./x-worker.js', import.meta.url)`, is bundled too, and found beside the bundle that starts it. */
const threadEntries = {
  name: 'thread-entries',
  transform: (code, id) =>
    code.replace(threadEntry, (_, path) => {
      const script = fileURLToPath(new URL(path, pathToFileURL(id)))
      threadScripts.add(script)
      return `new URL('./${script.slice(script.lastIndexOf('/') + 1)}', import.meta.url)`
    }),
}

/** Bundles entries `{ name: file }` together; answers with the names of the files written. */
async function write(input) {
  const bundle = await rolldown({ input, platform: 'node', external, treeshake, plugins: [threadEntries] })
  const { output } = await bundle.write({ dir: outDir, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' })
  await bundle.close()
  return output.map(({ fileName }) => fileName)
}

const written = new Set(await write({ cli: `${dist}cli/main.js`, index: `${dist}index.js` }))
// One by one: a thread loads one file, and shares none with the others.
for (const script of threadScripts) {
  const name = script.slice(script.lastIndexOf('/') + 1, -'.js'.length)
  for (const file of await write({ [name]: script })) written.add(file)
}
for (const file of readdirSync(outDir)) if (!written.has(file)) rmSync(`${outDir}${file}`)
