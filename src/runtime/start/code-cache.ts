import { createHash, randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

const digestBytes = 32
const maxFileBytes = 16 * 1024 ** 2
/** Files that stay when one is added: those of some versions of this package and of Node. */
const maxFiles = 64

const digest = (data: Uint8Array | string): Buffer => createHash('sha256').update(data).digest()

/**
 * Compiled code of scripts in a folder of this user, by the script's text and the version of Node.
 *
 * Compiled code is run without another look, so nothing is taken that anybody else could have put there: folder and file
 * belong to this user and nobody else may write to them, the file is no link, and its content matches its digest.
 * Where owners cannot be told (Windows), nothing is kept. Every failure means: no cache.
 */
export class CodeCache {
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  read(source: string): Buffer | undefined {
    try {
      if (!isPrivate(lstatSync(this.folder), 'folder')) return undefined
      const file = openSync(this.pathOf(source), constants.O_RDONLY | constants.O_NOFOLLOW)
      try {
        const stats = fstatSync(file)
        if (!isPrivate(stats, 'file') || stats.size > maxFileBytes) return undefined
        const content = readFileSync(file)
        const data = content.subarray(digestBytes)
        return digest(data).equals(content.subarray(0, digestBytes)) ? data : undefined
      } finally {
        closeSync(file)
      }
    } catch {
      return undefined
    }
  }

  /** Keeps `data` for the next process; a file appears whole or not at all. */
  write(source: string, data: Uint8Array): void {
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 })
      if (!isPrivate(lstatSync(this.folder), 'folder') || data.length > maxFileBytes - digestBytes) return
      this.makeRoom()
      const draft = join(this.folder, randomUUID())
      writeFileSync(draft, Buffer.concat([digest(data), data]), { flag: 'wx', mode: 0o600 })
      renameSync(draft, this.pathOf(source))
    } catch {
      // A full or read-only disk: the next process compiles again.
    }
  }

  private pathOf(source: string): string {
    return join(this.folder, digest(`${process.version} ${process.arch} ${source}`).toString('hex'))
  }

  private makeRoom(): void {
    const names = readdirSync(this.folder)
    if (names.length < maxFiles) return
    const byAge = names.map((name) => ({ name, writtenMs: statSync(join(this.folder, name)).mtimeMs })).sort((a, b) => a.writtenMs - b.writtenMs)
    for (const { name } of byAge.slice(0, names.length - maxFiles + 1)) rmSync(join(this.folder, name), { force: true })
  }
}

const othersMayWrite = 0o022

function isPrivate(stats: Stats, kind: 'file' | 'folder'): boolean {
  const right = kind === 'file' ? stats.isFile() : stats.isDirectory()
  return right && stats.uid === process.getuid?.() && (stats.mode & othersMayWrite) === 0
}
