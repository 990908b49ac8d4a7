import { createWriteStream } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { basename, extname, join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { sniffedBytes, sniffMediaType } from '../runtime/documents/media-type.ts'
import { type Failure, PagestreamError, toFailure } from '../schema/failure.ts'
import { reasonOf } from '../schema/reason.ts'
import { makeFolder } from '../store/make-folder.ts'
import { isRemote, withoutSecrets } from './reference.ts'

/** A file to be read, or why there is none. */
export interface InputFile {
  /** Path on this machine. */
  readonly path: string
  /** Path below the folder it was found in, else the file name: names its output folder. */
  readonly name: string
  readonly failure?: Failure
}

/** A file of a folder that neither looks like a document nor is named like one. */
export interface PassedOver {
  readonly path: string
  readonly passedOver: true
}

const documentExtensions = new Set(['.pdf', '.png', '.jpg', '.jpeg', '.jfif', '.webp', '.tif', '.tiff', '.gif', '.avif'])

/** What `-` reads from, and where its bytes are kept while they are read. */
export interface StandardInput {
  readonly stream: NodeJS.ReadableStream
  /** Made when it is needed; whoever names it removes it. */
  readonly folder: string
  /** Longer input is cut here and refused. */
  readonly maxBytes: number
}

/**
 * Turns what a user named into files: a file, a folder (recursive, hidden files left out), a glob, or `-`
 * for standard input. What is named but is not there, or cannot be listed, comes as an input with its failure.
 */
export async function* inputFiles(inputs: readonly string[], stdin: StandardInput): AsyncIterable<InputFile | PassedOver> {
  for (const input of inputs) {
    if (input === '-') yield await fromStdin(stdin)
    else if (isRemote(input)) yield notFetched(withoutSecrets(input))
    else yield* fromPath(input)
  }
}

async function* fromPath(input: string): AsyncIterable<InputFile | PassedOver> {
  const found = await stat(input).catch((error: NodeJS.ErrnoException) => error)
  if (!(found instanceof Error)) {
    if (found.isDirectory()) yield* fromFolder(input)
    else yield { path: input, name: basename(input) }
    return
  }
  if (/[*?[\]{}!]/.test(input)) yield* fromGlob(input)
  else yield missing(input, found)
}

async function* fromFolder(root: string): AsyncIterable<InputFile | PassedOver> {
  let inputs = 0
  for await (const found of walk(root)) {
    if (typeof found !== 'string') {
      inputs++
      yield found
    } else if (await isDocument(found)) {
      inputs++
      yield { path: found, name: relative(root, found) }
    } else yield { path: found, passedOver: true }
  }
  if (inputs === 0) yield failedInput(root, new PagestreamError('directory-empty', `reading ${root}: it holds no documents`))
}

async function* fromGlob(pattern: string): AsyncIterable<InputFile> {
  const { glob } = await import('tinyglobby')
  const paths = (await glob([pattern.replaceAll('\\', '/')], { onlyFiles: true, expandDirectories: false })).sort()
  if (paths.length === 0) yield failedInput(pattern, new PagestreamError('directory-empty', `reading ${pattern}: nothing matches`))
  for (const path of paths) yield { path, name: basename(path) }
}

/** The files below a folder; a folder that cannot be listed comes as an input with its failure, its neighbours are read. */
async function* walk(folder: string): AsyncIterable<string | InputFile> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => error)
  if (entries instanceof Error) {
    yield missing(folder, entries)
    return
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* walk(path)
    else if (entry.isFile() || (entry.isSymbolicLink() && (await stat(path).catch(() => undefined))?.isFile())) yield path
  }
}

/** By its name, or by how its content begins. */
export async function isDocument(path: string): Promise<boolean> {
  if (documentExtensions.has(extname(path).toLowerCase())) return true
  return sniffMediaType(await firstBytes(path).catch(() => new Uint8Array())) !== undefined
}

/** The bytes by which the content of a file is recognised. */
async function firstBytes(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sniffedBytes), 0, sniffedBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

async function fromStdin({ stream, folder, maxBytes }: StandardInput): Promise<InputFile> {
  const path = join(folder, 'stdin')
  try {
    makeFolder(folder)
    await pipeline(stream, (source: AsyncIterable<Buffer | string>) => upTo(maxBytes, source), createWriteStream(path))
  } catch (error) {
    return failedInput('stdin', error)
  }
  return { path, name: 'stdin' }
}

async function* upTo(maxBytes: number, source: AsyncIterable<Buffer | string>): AsyncIterable<Buffer | string> {
  let bytes = 0
  for await (const piece of source) {
    bytes += Buffer.byteLength(piece)
    if (bytes > maxBytes) throw new PagestreamError('document-too-large', 'reading standard input: it has more bytes than limits.maxDocumentBytes')
    yield piece
  }
}

const notFetched = (shown: string): InputFile =>
  failedInput(shown, new PagestreamError('document-not-found', `reading ${shown}: only files are read here; \`pagestream submit\` fetches`))

const missing = (input: string, cause: NodeJS.ErrnoException): InputFile =>
  failedInput(input, new PagestreamError('document-not-found', `reading ${input}: ${reasonOf(cause)}`, { cause }))

const failedInput = (input: string, error: unknown): InputFile => ({ path: input, name: basename(input) || input, failure: toFailure(error) })
