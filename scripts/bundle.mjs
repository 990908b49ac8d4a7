// Makes few files of many: `dist/bundle/cli.js` and `dist/bundle/index.js` are what users start and import. Loading hundreds of modules one
// by one takes longer than reading a page. The modules under `dist/` stay: tests import them one at a time.
import { readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const outDir = `${dist}bundle/`

/** Packages with native parts or files of their own stay packages. */
const external = ['sharp', 'onnxruntime-node']

const threadEntry = /new URL\('(\.[^']+-worker\.js)', import\.meta\.url\)/g

/** A thread's script, named by `new URL('./x-worker.js', import.meta.url)`, becomes an entry of its own, found beside the bundle. */
const threadEntries = {
  name: 'thread-entries',
  transform(code, id) {
    if (!threadEntry.test(code)) return null
    return code.replace(threadEntry, (_, path) => {
      const script = fileURLToPath(new URL(path, `file://${id}`))
      this.emitFile({ type: 'chunk', id: script, fileName: path.slice(path.lastIndexOf('/') + 1) })
      return `new URL('./${path.slice(path.lastIndexOf('/') + 1)}', import.meta.url)`
    })
  },
}

const bundle = await rolldown({
  input: { cli: `${dist}cli/main.js`, index: `${dist}index.js` },
  platform: 'node',
  external,
  plugins: [threadEntries],
})
const { output } = await bundle.write({ dir: outDir, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' })
const written = new Set(output.map(({ fileName }) => fileName))
for (const file of readdirSync(outDir)) if (!written.has(file)) rmSync(`${outDir}${file}`)
await bundle.close()
