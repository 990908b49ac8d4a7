import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type WasmModule, webAssembly } from './web-assembly.ts'

let compiled: Promise<WasmModule> | undefined

/** PDFium, compiled once a process: the module is shared with every worker, which then only instantiates it. */
export function engineModule(): Promise<WasmModule> {
  compiled ??= compile()
  return compiled
}

async function compile(): Promise<WasmModule> {
  const file = fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm'))
  return webAssembly.compile(await readFile(file))
}
