import { PagestreamError } from '../../../../schema/failure.ts'
import { identifyBuild } from './identify-build.ts'
import type { KnownBuild } from './known-builds.ts'
import { type Address, type KoffiLibrary, loadKoffi, type NativeLibrary, openLibrary } from './koffi-library.ts'
import { fileSha256, libraryFiles } from './library-files.ts'
import { bindLlama, type LlamaFunctions, nativeTypes } from './llama-functions.ts'
import { bindMtmd, type MtmdFunctions } from './mtmd-functions.ts'
import { type Blob512, bytesOfBlob } from './parameter-blob.ts'
import { layoutProblems } from './parameter-layout.ts'

/** llama.cpp in this process, known and checked. */
export interface LlamaLibrary {
  readonly build: KnownBuild
  readonly koffi: KoffiLibrary
  readonly llama: LlamaFunctions
  readonly mtmd: MtmdFunctions
  /** `strlen` of the system: as an abort callback it says yes when the first byte of its data is not zero, and runs no JavaScript. */
  readonly strlen: Address
}

/**
 * Loads the libraries of a folder and makes sure that they are what they must be: a known build, and parameter structs with the defaults of its
 * layout. Nothing is passed to a library before. Rejects with `engine-missing`, `engine-refused`.
 */
export async function loadLibrary(folder: string): Promise<LlamaLibrary> {
  const files = libraryFiles(folder)
  const koffi = await loadKoffi()
  const base = openLibrary(koffi, files.base)
  const [llamaSha256, mtmdSha256] = await Promise.all([fileSha256(files.llama), fileSha256(files.mtmd)])
  const build = identifyBuild({ llamaSha256, mtmdSha256, commit: commitOf(base) })
  const [ggml, llama, mtmd] = [openLibrary(koffi, files.ggml), openLibrary(koffi, files.llama), openLibrary(koffi, files.mtmd)]
  const types = nativeTypes(koffi)
  const bound = { llama: bindLlama(ggml, llama, types), mtmd: bindMtmd(koffi, mtmd, types) }
  checkLayouts(build, bound, { llama, mtmd })
  bound.llama.llama_backend_init()
  if (Number(bound.llama.ggml_backend_dev_count()) === 0) bound.llama.ggml_backend_load_all_from_path(folder)
  const strlen = openLibrary(koffi, files.system).symbol('strlen') as Address
  return { build, koffi, ...bound, strlen }
}

function commitOf(base: NativeLibrary): string | undefined {
  try {
    return base.func('ggml_commit', 'str', [])() as string
  } catch {
    return undefined
  }
}

function checkLayouts(build: KnownBuild, bound: Pick<LlamaLibrary, 'llama' | 'mtmd'>, libraries: { llama: NativeLibrary; mtmd: NativeLibrary }): void {
  const marker = bound.mtmd.mtmd_default_marker() ?? 0n
  const { model, context, projector } = build.layouts
  const check = (name: string, layout: typeof model | typeof context | typeof projector, defaults: Blob512, library: NativeLibrary, source: string): string[] =>
    layoutProblems(name, layout, { bytes: bytesOfBlob(defaults), written: writtenBytes(library, source), marker })
  const problems = [
    ...check('model', model, bound.llama.llama_model_default_params(), libraries.llama, 'llama_model_default_params'),
    ...check('context', context, bound.llama.llama_context_default_params(), libraries.llama, 'llama_context_default_params'),
    ...check('projector', projector, bound.mtmd.mtmd_context_params_default(), libraries.mtmd, 'mtmd_context_params_default'),
  ]
  if (problems.length > 0) throw new PagestreamError('engine-refused', `loading llama.cpp: it is not laid out as build ${build.name}: ${problems.join('; ')}`)
}

const paintedBytes = 1024

/**
 * How many bytes a function writes that returns a struct by value. On x86-64 such a function takes the place of the struct as a hidden first
 * argument, so it can be called with a painted buffer: what keeps the paint, whatever its colour, was not written. Undefined on other processors.
 */
function writtenBytes(library: NativeLibrary, name: string): number | undefined {
  if (process.arch !== 'x64') return undefined
  const fill = library.func(name, 'void', ['void *'])
  const ends = [0x5a, 0xa5].map((paint) => {
    const buffer = Buffer.alloc(paintedBytes, paint)
    fill(buffer)
    return buffer.findLastIndex((byte) => byte !== paint) + 1
  })
  return Math.max(...ends)
}
