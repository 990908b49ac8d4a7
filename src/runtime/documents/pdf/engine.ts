import { init } from '@embedpdf/pdfium'
import { type PdfiumCalls, pdfiumCalls } from './pdfium-calls.ts'
import { type WasmImports, type WasmInstance, type WasmMemory, type WasmModule, webAssembly } from './web-assembly.ts'

/** Views on the engine's memory. Taken anew by the engine whenever the memory grows: never keep one over a call. */
export interface Heap {
  u8: Uint8Array
  u16: Uint16Array
  u32: Uint32Array
  i32: Int32Array
  f32: Float32Array
  f64: Float64Array
}

/** The engine asked for more memory than it may have. */
export class EngineMemoryError extends Error {
  constructor(bytes: number) {
    super(`the PDF engine asked for ${bytes} bytes of memory, more than its limit`)
    this.name = 'EngineMemoryError'
  }
}

interface EngineModule {
  readonly wasmExports: object
  addFunction(callback: (...args: number[]) => number, signature: string): number
  removeFunction(index: number): void
}

/** One instance of PDFium. Belongs to one thread; after a trap it must not be used again. */
export interface Engine {
  readonly call: PdfiumCalls
  readonly heap: Heap
  /** 512 bytes for out-parameters, 8-byte aligned. Overwritten by whoever comes next. */
  readonly scratch: number
  /** Set when the limit refused a growth: a trap after that is a lack of memory. */
  readonly memoryRefused: boolean
  /** Throws `EngineMemoryError`. */
  allocate(bytes: number): number
  free(pointer: number): void
  addFunction(callback: (...args: number[]) => number, signature: string): number
  removeFunction(index: number): void
  /** Zero-terminated UTF-8 (or ASCII) copy; the caller frees it. */
  allocateText(text: string): number
  /**
   * Text from a function that fills `(buffer, bytes)` and answers with the length in bytes, end included:
   * the convention of PDFium's getters. At most `maxBytes` are read, the rest is cut off.
   */
  readText(fill: (buffer: number, bytes: number) => number, encoding: 'utf-16' | 'utf-8', maxBytes?: number): string
  /** Zero-terminated name, kept for the life of the engine: for the few dictionary keys that are asked again and again. */
  key(name: string): number
}

const scratchBytes = 512
const textBytes = 4096
const utf16 = new TextDecoder('utf-16le')
const utf8 = new TextDecoder('utf-8')

/**
 * Starts an engine on a compiled module. The heap never grows past `maxBytes()`: the growth is refused, so that
 * the allocation inside PDFium fails, and the process does not grow with a hostile file.
 */
export async function startEngine(module: WasmModule, maxBytes: () => number): Promise<Engine> {
  let memory: WasmMemory | undefined
  let refused = 0
  const heap = {} as Heap
  const takeViews = () => {
    if (!memory) return
    const { buffer } = memory
    heap.u8 = new Uint8Array(buffer)
    heap.u16 = new Uint16Array(buffer)
    heap.u32 = new Uint32Array(buffer)
    heap.i32 = new Int32Array(buffer)
    heap.f32 = new Float32Array(buffer)
    heap.f64 = new Float64Array(buffer)
  }
  const instantiateWasm = (imports: WasmImports, done: (instance: WasmInstance) => void) => {
    const env = imports.env as Record<string, (...args: number[]) => number>
    const grow = env.emscripten_resize_heap
    if (!grow) throw new Error('starting the PDF engine: the module does not ask for memory where expected')
    const limited = (bytes: number): number => {
      if (bytes >>> 0 > maxBytes()) {
        refused = bytes >>> 0
        return 0
      }
      const grown = grow(bytes)
      takeViews()
      return grown
    }
    const instance = new webAssembly.Instance(module, { ...imports, env: { ...env, emscripten_resize_heap: limited } })
    memory = instance.exports.memory as WasmMemory
    takeViews()
    done(instance)
    return instance.exports
  }
  const silent = () => undefined
  const wrapped = await init({ instantiateWasm, print: silent, printErr: silent } as unknown as Parameters<typeof init>[0])
  const pdfium = wrapped.pdfium as unknown as EngineModule
  const call = pdfiumCalls(pdfium.wasmExports)
  call.PDFiumExt_Init()
  takeViews()
  return buildEngine(pdfium, call, heap, () => refused)
}

function buildEngine(pdfium: EngineModule, call: PdfiumCalls, heap: Heap, refused: () => number): Engine {
  const allocate = (bytes: number): number => {
    const pointer = call.malloc(bytes)
    if (pointer === 0) throw new EngineMemoryError(bytes)
    return pointer
  }
  const allocateText = (text: string): number => {
    const bytes = Buffer.from(text, 'utf8')
    const pointer = allocate(bytes.length + 1)
    heap.u8.set(bytes, pointer)
    heap.u8[pointer + bytes.length] = 0
    return pointer
  }
  const keys = new Map<string, number>()
  const buffer = allocate(textBytes)
  const decode = (pointer: number, bytes: number, encoding: 'utf-16' | 'utf-8') => {
    const end = encoding === 'utf-16' ? 2 : 1
    const taken = heap.u8.slice(pointer, pointer + Math.max(0, bytes - end))
    return (encoding === 'utf-16' ? utf16 : utf8).decode(taken)
  }
  return {
    call,
    heap,
    scratch: allocate(scratchBytes),
    get memoryRefused() {
      return refused() > 0
    },
    allocate,
    free: (pointer) => void call.free(pointer),
    addFunction: (callback, signature) => pdfium.addFunction(callback, signature),
    removeFunction: (index) => pdfium.removeFunction(index),
    allocateText,
    readText(fill, encoding, maxBytes = 65_536) {
      const needed = fill(buffer, textBytes) >>> 0
      if (needed <= textBytes) return decode(buffer, needed, encoding)
      const bytes = Math.min(needed, maxBytes)
      if (needed > maxBytes) return ''
      const large = allocate(bytes)
      try {
        return decode(large, Math.min(bytes, fill(large, bytes) >>> 0), encoding)
      } finally {
        call.free(large)
      }
    },
    key(name) {
      const known = keys.get(name)
      if (known !== undefined) return known
      const pointer = allocateText(name)
      keys.set(name, pointer)
      return pointer
    },
  }
}
