import { join } from 'node:path'
import { PagestreamError } from '../schema/failure.ts'

/** The path of a key below a folder. Throws `internal` for one that would leave it or can name nothing. */
export function pathBelow(root: string, key: string): string {
  if (key.startsWith('/') || key.includes('\0') || key.split(/[\\/]/).includes('..')) throw new PagestreamError('internal', `the key ${key} leaves its folder`)
  return join(root, key)
}
