import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { PagestreamError } from '../schema/failure.ts'
import type { LockOwner } from '../schema/lock-owner.ts'
import { systemCode } from '../schema/reason.ts'
import { makeFolder } from './make-folder.ts'
import { isRunning, machineIdentity, processStart } from './process-identity.ts'
import { orStoreFailed } from './store-failed.ts'

/** The holder touches its lock so often … */
const touchMs = 15_000
/** … and one that was not touched for so long has no holder, where that cannot be asked of the system. */
const staleMs = 60_000
/** A lock that was taken over is looked at again after this time: others may have found the same dead one. */
const settleMs = 50
const mostTries = 5

/**
 * One run at a time writes below a folder: the file `lock` in it names the process. Another run is refused with `output-busy`.
 * A lock whose process is gone is taken over; so is one of another machine that was not touched for a minute.
 */
export class FolderLock implements AsyncDisposable {
  readonly #path: string
  readonly #token: string
  readonly #timer: NodeJS.Timeout

  private constructor(path: string, token: string) {
    this.#path = path
    this.#token = token
    this.#timer = setInterval(() => {
      const now = new Date()
      utimes(path, now, now).catch(() => {}) // the folder was removed, or is out of reach for a while
    }, touchMs)
    this.#timer.unref()
  }

  /** Makes the folder when it is not there. Rejects with `output-busy`, and with `store-failed` when nothing can be written there. */
  static async take(folder: string): Promise<FolderLock> {
    makeFolder(folder)
    const path = join(folder, 'lock')
    const owner = thisRun()
    for (let tries = 0; tries < mostTries; tries++) {
      if (await write(path, owner)) {
        if (tries > 0) await new Promise((resolve) => setTimeout(resolve, settleMs))
        if (tries === 0 || (await read(path)).owner?.token === owner.token) return new FolderLock(path, owner.token)
      }
      const found = await read(path)
      if (await isHeld(path, found.owner)) throw busy(folder, found.owner)
      await orStoreFailed(`deleting ${path}`, () => bury(path, found.text))
    }
    throw busy(folder, undefined)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    if ((await read(this.#path)).owner?.token === this.#token) await rm(this.#path, { force: true })
  }
}

const thisRun = (): LockOwner => ({
  pid: process.pid,
  host: hostname(),
  startedAt: new Date().toISOString(),
  machine: machineIdentity(),
  processStart: processStart(process.pid),
  token: randomUUID(),
})

/** False when there is a lock. */
async function write(path: string, owner: LockOwner): Promise<boolean> {
  return orStoreFailed(`writing ${path}`, () =>
    writeFile(path, `${JSON.stringify(owner)}\n`, { flag: 'wx' }).then(
      () => true,
      (error: unknown) => {
        if (systemCode(error) === 'EEXIST') return false
        throw error
      },
    ),
  )
}

/** What stands in the lock; no owner when it is gone, damaged or being written. */
async function read(path: string): Promise<{ text: string; owner?: LockOwner | undefined }> {
  const text = await readFile(path, 'utf8').catch(() => '')
  if (text === '') return { text }
  const { lockOwnerSchema } = await import('../schema/lock-owner.ts')
  try {
    return { text, owner: lockOwnerSchema.safeParse(JSON.parse(text)).data }
  } catch {
    return { text }
  }
}

/** Takes a dead lock away. When another run has replaced it meanwhile, that one is put back. */
async function bury(path: string, deadText: string): Promise<void> {
  const grave = `${path}-${randomUUID()}`
  try {
    await rename(path, grave)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return
    throw error
  }
  const text = await readFile(grave, 'utf8')
  if (text !== deadText) await writeFile(path, text, { flag: 'wx' }).catch(() => {}) // taken again by a third: it will be the holder
  await rm(grave, { force: true })
}

async function isHeld(path: string, owner: LockOwner | undefined): Promise<boolean> {
  if (owner?.machine === machineIdentity()) return isRunning(owner.pid, owner.processStart)
  const touched = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
  return Date.now() - touched < staleMs
}

function busy(folder: string, owner: LockOwner | undefined): PagestreamError {
  const holder = owner ? `process ${owner.pid} on ${owner.host}, begun ${owner.startedAt}` : 'it has just begun'
  return new PagestreamError('output-busy', `taking ${folder}: another run holds it (${holder})`)
}
