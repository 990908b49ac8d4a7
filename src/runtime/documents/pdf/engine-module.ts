import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type WasmModule, webAssembly } from './web-assembly.ts'

let compiled: Promise<WasmModule> | undefined

/** PDFium, compiled once a process: the module is shared with every worker, which then only instantiates it. */
export function engineModule(): Promise<WasmModule> {
  compiled ??= compile()
  return compiled
}

/** Reads at once: the event loop, which an answer would have to wait for, is busy while a program loads. */
async function compile(): Promise<WasmModule> {
  const file = createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm')
  return webAssembly.compile(readFileSync(file))
}
