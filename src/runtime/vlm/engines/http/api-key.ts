import { readFile } from 'node:fs/promises'
import { PagestreamError } from '../../../../schema/failure.ts'
import { reasonOf } from '../../../../schema/reason.ts'

/** Visible characters of ASCII: what a header may hold. */
const keyPattern = /^[\x21-\x7e]{1,4096}$/

/** The key in a file, read anew each time an engine starts; undefined for no file. Throws `engine-refused`. */
export async function readApiKey(file: string): Promise<string | undefined> {
  if (file === '') return undefined
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new PagestreamError('engine-refused', `reading the key of the engine from ${file}: ${reasonOf(error)}. Check vlm.engine.apiKeyFile`, { cause: error })
  })
  const key = text.trim()
  if (keyPattern.test(key)) return key
  throw new PagestreamError(
    'engine-refused',
    `reading the key of the engine from ${file} (vlm.engine.apiKeyFile): it holds no key, which is one line of visible characters`,
  )
}
