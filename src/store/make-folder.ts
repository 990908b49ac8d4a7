import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { systemCode } from '../schema/reason.ts'
import { orStoreFailed, storeFailed } from './store-failed.ts'

/**
 * Makes a folder and those above it; it may be there already. Rejects with `store-failed`.
 * The recursive `mkdir` of Node does not end in places that take no folders and answer that there is no such file, as /proc does.
 */
export async function makeFolder(path: string): Promise<void> {
  const action = `making the folder ${path}`
  try {
    return await makeOne(path)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' || dirname(path) === path) throw storeFailed(action, error)
  }
  await makeFolder(dirname(path))
  await orStoreFailed(action, () => makeOne(path))
}

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    const isThere = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    )
    if (!isThere) throw error
  }
}
