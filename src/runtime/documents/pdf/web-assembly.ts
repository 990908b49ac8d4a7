/**
 * The few parts of WebAssembly that are used. The type libraries have them only together with the browser's DOM,
 * which this project does not take in.
 */
export interface WasmModule {
  readonly [Symbol.toStringTag]?: string
}

export interface WasmMemory {
  readonly buffer: ArrayBuffer
}

export interface WasmInstance {
  readonly exports: Readonly<Record<string, unknown>>
}

export type WasmImports = Readonly<Record<string, Readonly<Record<string, unknown>>>>

interface WebAssemblyGlobal {
  compile(bytes: Uint8Array): Promise<WasmModule>
  readonly Instance: new (module: WasmModule, imports: WasmImports) => WasmInstance
}

export const webAssembly = (globalThis as unknown as { WebAssembly: WebAssemblyGlobal }).WebAssembly
