import { createWriteStream } from 'node:fs'
import { mkdtemp, open, readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, extname, join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { sniffedBytes, sniffMediaType } from '../runtime/documents/media-type.ts'
import { type Failure, PagestreamError, toFailure } from '../schema/failure.ts'

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

/**
 * Turns what a user named into files: a file, a folder (recursive, hidden files left out), a glob, or `-`
 * for standard input. What is named but is not there comes as an input with its failure.
 */
export async function* inputFiles(inputs: readonly string[], stdin: NodeJS.ReadableStream): AsyncIterable<InputFile | PassedOver> {
  for (const input of inputs) {
    if (input === '-') yield await fromStdin(stdin)
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
  let documents = 0
  for await (const path of walk(root)) {
    if (await isDocument(path)) {
      documents++
      yield { path, name: relative(root, path) }
    } else yield { path, passedOver: true }
  }
  if (documents === 0) yield failedInput(root, new PagestreamError('directory-empty', `reading ${root}: it holds no documents`))
}

async function* fromGlob(pattern: string): AsyncIterable<InputFile> {
  const { glob } = await import('tinyglobby')
  const paths = (await glob([pattern.replaceAll('\\', '/')], { onlyFiles: true, expandDirectories: false })).sort()
  if (paths.length === 0) yield failedInput(pattern, new PagestreamError('directory-empty', `reading ${pattern}: nothing matches`))
  for (const path of paths) yield { path, name: basename(path) }
}

async function* walk(folder: string): AsyncIterable<string> {
  const entries = await readdir(folder, { withFileTypes: true })
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* walk(path)
    else if (entry.isFile() || (entry.isSymbolicLink() && (await stat(path).catch(() => undefined))?.isFile())) yield path
  }
}

async function isDocument(path: string): Promise<boolean> {
  if (documentExtensions.has(extname(path).toLowerCase())) return true
  return sniffMediaType(await firstBytes(path).catch(() => new Uint8Array())) !== undefined
}

/** The bytes by which the content of a file is recognised. */
export async function firstBytes(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sniffedBytes), 0, sniffedBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

async function fromStdin(stdin: NodeJS.ReadableStream): Promise<InputFile> {
  const path = join(await mkdtemp(join(tmpdir(), 'pagestream-stdin-')), 'stdin')
  await pipeline(stdin, createWriteStream(path))
  return { path, name: 'stdin' }
}

const missing = (input: string, cause: NodeJS.ErrnoException): InputFile =>
  failedInput(
    input,
    new PagestreamError('document-not-found', `reading ${input}: ${cause.code === 'ENOENT' ? 'there is no such file' : cause.message}`, { cause }),
  )

const failedInput = (input: string, error: PagestreamError): InputFile => ({ path: input, name: basename(input) || input, failure: toFailure(error) })
