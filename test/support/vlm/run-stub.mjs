// The stub of an engine as a process of its own, so that it works on another core than what is measured. Says `listening on URL` when it does.
// Usage: node test/support/vlm/run-stub.mjs [--kind vllm] [--family mineru2.5] [--script lengths|colours | --script-file MODULE] [--slots 16] [--port 0]
//        [--prefill TOKENS/S] [--decode TOKENS/S A SLOT] [--total TOKENS/S] [--chunk-tokens 1] [--pages 64] [--model stub-model]
import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const folder = fileURLToPath(new URL('../../../.cache/stub/', import.meta.url))
const file = `${folder}stub-${process.pid}.mjs`
const bundle = await rolldown({ input: fileURLToPath(new URL('./stub-main.ts', import.meta.url)), platform: 'node', external: ['sharp', 'undici', 'zod'] })
mkdirSync(folder, { recursive: true })
await bundle.write({ file, format: 'esm' })
await bundle.close()
try {
  await import(pathToFileURL(file).href)
} finally {
  rmSync(file, { force: true })
}
