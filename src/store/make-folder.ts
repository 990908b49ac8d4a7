import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { systemCode } from '../schema/reason.ts'
import { storeFailed } from './store-failed.ts'

/**
 * Makes a folder and those above it; it may be there already. Throws `store-failed`.
 * The recursive `mkdir` of Node does not end in places that take no folders and answer that there is no such file, as /proc does.
 */
export function makeFolder(path: string): void {
  let error = tryOne(path)
  if (systemCode(error) === 'ENOENT' && dirname(path) !== path) {
    makeFolder(dirname(path))
    error = tryOne(path)
  }
  if (error !== undefined) throw storeFailed(`making the folder ${path}`, error)
}

/** Answers with the error, undefined when the folder is there. */
function tryOne(path: string): unknown {
  try {
    mkdirSync(path)
    return undefined
  } catch (error) {
    return isFolder(path) ? undefined : error
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
