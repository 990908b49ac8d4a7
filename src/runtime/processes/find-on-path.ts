import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** Where a program lies by the PATH of an environment; undefined when it is on none of its folders. */
export async function findOnPath(name: string, env: Readonly<Record<string, string | undefined>>): Promise<string | undefined> {
  const names = process.platform === 'win32' ? [`${name}.exe`, `${name}.cmd`] : [name]
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    if (folder === '') continue
    for (const each of names) if (await isProgram(join(folder, each))) return join(folder, each)
  }
  return undefined
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}
