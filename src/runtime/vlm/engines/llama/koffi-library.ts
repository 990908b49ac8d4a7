import type * as Koffi from 'koffi'
import { PagestreamError } from '../../../../schema/failure.ts'

export type KoffiLibrary = typeof Koffi
export type NativeLibrary = Koffi.LibraryHandle

/** An address in the library's memory; null where it gave none. */
export type Address = bigint | null

/** Native calls run on a stack of their own; prompts are tokenised by code that may recurse. */
const stackBytes = 8 * 1024 ** 2

/** The package that calls C functions. It is optional, and only the process that runs the library loads it. Rejects with `engine-missing`. */
export async function loadKoffi(): Promise<KoffiLibrary> {
  try {
    const koffi = await import('koffi')
    koffi.config({ sync_stack_size: stackBytes })
    return koffi
  } catch (cause) {
    throw new PagestreamError('engine-missing', 'loading llama.cpp: the optional package koffi is not there: run `npm install koffi@3.3.4`', { cause })
  }
}

/** Loads a shared library. Throws `engine-missing` for a file that is none, or none for this system. */
export function openLibrary(koffi: KoffiLibrary, path: string): NativeLibrary {
  try {
    return koffi.load(path)
  } catch (cause) {
    throw new PagestreamError('engine-missing', `loading llama.cpp: ${path} is no shared library for ${process.platform} on ${process.arch}`, { cause })
  }
}
