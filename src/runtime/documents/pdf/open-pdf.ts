import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { FailureCode } from '../../../schema/failure.ts'
import { pdfHeaderOffset } from '../media-type.ts'
import type { Engine } from './engine.ts'
import { PdfFailure } from './pdf-failure.ts'

/** An open PDF inside the engine. */
export interface PdfHandle {
  readonly document: number
  /** The file as it lies in memory, until the next call of the engine; empty for one that is read from disk. */
  bytes(): Buffer
  close(): void
}

/** Files up to this size are copied into the engine's memory; larger ones are read from disk as PDFium asks for them. */
const copiedBytes = 8 * 1024 ** 2
const blockBytes = 64 * 1024
const keptBlocks = 48

/** `FPDF_ERR_*` */
const errorPassword = 4
const errorSecurity = 5

/**
 * Opens a file. Throws `password-required`, `password-wrong`, `unsupported-encryption`, `document-corrupt`.
 * PDFium answers null with error 0, "success", for some broken files: null is a failure whatever the number says.
 */
export function openPdf(engine: Engine, path: string, password: string | undefined): PdfHandle {
  const file = openSync(path, 'r')
  try {
    const size = fstatSync(file).size
    const head = readAt(file, 0, Math.min(size, 2048))
    const offset = Math.max(0, pdfHeaderOffset(head))
    const opened = load(engine, { path, file, offset: 0, size }, password)
    if (opened.document !== 0) return opened.keep()
    // Junk before the header shifts every offset of the file; PDFium copes with some of it, cutting it off with more.
    const again = offset > 0 && opened.error !== errorPassword ? load(engine, { path, file, offset, size: size - offset }, password) : opened
    if (again.document !== 0) return again.keep()
    const { code, message } = openFailure(again.error, password, () => namesForeignHandler(file, size))
    throw new PdfFailure(code, message)
  } finally {
    closeSync(file)
  }
}

interface Loaded {
  readonly document: number
  readonly error: number
  keep(): PdfHandle
}

/** The part of a file that is the document. */
interface FilePart {
  readonly path: string
  readonly file: number
  readonly offset: number
  readonly size: number
}

function load(engine: Engine, part: FilePart, password: string | undefined): Loaded {
  const { call } = engine
  const secret = password === undefined ? 0 : engine.allocateText(password)
  const source = part.size <= copiedBytes ? memorySource(engine, part) : diskSource(engine, part)
  let document = 0
  try {
    document = source.load(secret)
  } finally {
    if (secret !== 0) {
      engine.heap.u8.fill(0, secret, secret + Buffer.byteLength(password ?? ''))
      engine.free(secret)
    }
    if (document === 0) source.free()
  }
  return {
    document,
    error: document === 0 ? call.FPDF_GetLastError() : 0,
    keep: () => ({
      document,
      bytes: source.bytes,
      close() {
        call.FPDF_CloseDocument(document)
        source.free()
      },
    }),
  }
}

interface Source {
  load(password: number): number
  bytes(): Buffer
  free(): void
}

function memorySource(engine: Engine, { file, offset, size }: FilePart): Source {
  const pointer = engine.allocate(size)
  let read = 0
  while (read < size) {
    const got = readSync(file, engine.heap.u8, pointer + read, size - read, offset + read)
    if (got === 0) break
    read += got
  }
  return {
    load: (password) => engine.call.FPDF_LoadMemDocument(pointer, read, password),
    bytes: () => Buffer.from(engine.heap.u8.buffer, pointer, read),
    free: () => engine.free(pointer),
  }
}

/** `FPDF_FILEACCESS`: length, a function that copies a block, its parameter. Blocks that were read lately are kept. */
function diskSource(engine: Engine, { path, offset, size }: FilePart): Source {
  const file = openSync(path, 'r')
  const blocks = new Map<number, Buffer>()
  const block = (index: number): Buffer => {
    const known = blocks.get(index)
    if (known) return known
    const bytes = readAt(file, offset + index * blockBytes, Math.min(blockBytes, size - index * blockBytes))
    if (blocks.size >= keptBlocks) blocks.delete(blocks.keys().next().value ?? -1)
    blocks.set(index, bytes)
    return bytes
  }
  const read = (_parameter: number, position: number, target: number, count: number): number => {
    const start = position >>> 0
    const end = start + (count >>> 0)
    if (end > size) return 0
    for (let at = start; at < end; ) {
      const index = Math.floor(at / blockBytes)
      const within = at - index * blockBytes
      const part = block(index).subarray(within, Math.min(blockBytes, within + end - at))
      if (part.length === 0) return 0
      engine.heap.u8.set(part, target + at - start)
      at += part.length
    }
    return 1
  }
  const callback = engine.addFunction(read, 'iiiii')
  const access = engine.allocate(12)
  engine.heap.u32.set([size, callback, 0], access >> 2)
  return {
    load: (password) => engine.call.FPDF_LoadCustomDocument(access, password),
    bytes: () => Buffer.alloc(0),
    free() {
      engine.free(access)
      engine.removeFunction(callback)
      closeSync(file)
    },
  }
}

function readAt(file: number, position: number, count: number): Buffer {
  const bytes = Buffer.alloc(Math.max(0, count))
  let read = 0
  while (read < bytes.length) {
    const got = readSync(file, bytes, read, bytes.length - read, position + read)
    if (got === 0) break
    read += got
  }
  return bytes.subarray(0, read)
}

function openFailure(error: number, password: string | undefined, foreign: () => boolean): { code: FailureCode; message: string } {
  if (error === errorPassword) {
    return password === undefined
      ? { code: 'password-required', message: 'opening the document: it is encrypted and needs a password' }
      : { code: 'password-wrong', message: 'opening the document: the password does not open it' }
  }
  if (error === errorSecurity || foreign()) {
    return { code: 'unsupported-encryption', message: 'opening the document: it is protected by a security handler other than a password' }
  }
  return { code: 'document-corrupt', message: `opening the document: it is damaged or cut off (engine error ${error})` }
}

/** Whether an encryption dictionary near the end or the start of the file names a handler other than `Standard`. */
function namesForeignHandler(file: number, size: number): boolean {
  const windowBytes = 1024 ** 2
  const end = readAt(file, Math.max(0, size - windowBytes), Math.min(size, windowBytes)).toString('latin1')
  const start = size > windowBytes ? readAt(file, 0, windowBytes).toString('latin1') : ''
  const text = start + end
  if (!text.includes('/Encrypt')) return false
  return /\/Filter\s*\/(Adobe\.PubSec|Entrust|FOPN|EBX|Microsoft|[A-Za-z]*PubSec|[A-Za-z]+\.[A-Za-z.]+)/.test(text)
}
