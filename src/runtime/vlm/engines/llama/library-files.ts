import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { PagestreamError } from '../../../../schema/failure.ts'

/** The shared libraries of a llama.cpp folder that the engine binds, and the C library of the system. */
export interface LibraryFiles {
  readonly base: string
  readonly ggml: string
  readonly llama: string
  readonly mtmd: string
  readonly system: string
}

const suffixes: Partial<Record<NodeJS.Platform, { readonly suffix: string; readonly system: string }>> = {
  linux: { suffix: 'so', system: 'libc.so.6' },
  darwin: { suffix: 'dylib', system: 'libSystem.B.dylib' },
}

/** Finds the libraries by their names. Throws `engine-missing` for a folder without them, or a system that the engine does not run on. */
export function libraryFiles(folder: string, platform: NodeJS.Platform = process.platform): LibraryFiles {
  const system = suffixes[platform]
  if (!system) throw new PagestreamError('engine-missing', 'loading llama.cpp: the library runs in process on Linux and macOS alone; use llama-server')
  const path = (name: string): string => join(folder, `lib${name}.${system.suffix}`)
  const files = { base: path('ggml-base'), ggml: path('ggml'), llama: path('llama'), mtmd: path('mtmd') }
  const absent = Object.values(files).filter((file) => !existsSync(file))
  if (absent.length > 0) {
    throw new PagestreamError('engine-missing', `loading llama.cpp: vlm.engine.library has no ${absent.join(', ')}; name the folder of a llama.cpp build`)
  }
  return { ...files, system: system.system }
}

/** SHA-256 of a file, in hexadecimal. */
export async function fileSha256(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
