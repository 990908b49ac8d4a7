import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

let root: string | undefined

/**
 * The folder of this package: the nearest one above this file with a `package.json`. Modules may be bundled,
 * so files that ship beside the code are found from here and not by their distance from a module.
 */
export function packageRoot(): string {
  root ??= nearestPackage(dirname(fileURLToPath(import.meta.url)))
  return root
}

let version: string | undefined

/** The version of this package. */
export function packageVersion(): string {
  version ??= (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }).version
  return version
}

function nearestPackage(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  const above = dirname(folder)
  if (above === folder) throw new Error('finding the files of the package: no package.json lies above the code')
  return nearestPackage(above)
}
