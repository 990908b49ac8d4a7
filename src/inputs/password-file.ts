import { readFile } from 'node:fs/promises'
import { PagestreamError } from '../schema/failure.ts'
import { reasonOf } from '../schema/reason.ts'

/** Each is tried on a document that asks for one, and a try may cost a tenth of a second. */
const mostPasswords = 100

/**
 * The passwords of `inputs.passwordsFile`, one a line, none for an empty path. Read when a document asks for one, so that a new one needs no
 * restart. Rejects with `configuration`; no message holds a password.
 */
export async function readPasswords(path: string): Promise<readonly string[]> {
  if (path === '') return []
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    throw new PagestreamError('configuration', `reading inputs.passwordsFile: ${reasonOf(cause)}`, { cause })
  }
  const passwords = text.split(/\r?\n/).filter((line) => line !== '')
  if (passwords.length > mostPasswords)
    throw new PagestreamError('configuration', `reading inputs.passwordsFile: it holds more than ${mostPasswords} passwords`)
  return passwords
}
