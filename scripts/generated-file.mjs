// What every generator shares: write the file, or with --check say whether the one on disk is what would be written.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** `name` is relative to the repository. With `--check` on the command line nothing is written and a stale file ends in exit code 1. */
export function writeGenerated(name, text) {
  const path = fileURLToPath(new URL(`../${name}`, import.meta.url))
  const current = existsSync(path) ? readFileSync(path, 'utf8') : undefined
  const { length } = text.split('\n')
  if (!process.argv.includes('--check')) {
    writeFileSync(path, text)
    console.log(`${name}: ${length} lines`)
  } else if (current === text) {
    console.log(`${name} is fresh`)
  } else {
    console.error(`${name} is ${current === undefined ? 'missing' : 'stale'}: build, then run the script without --check`)
    process.exitCode = 1
  }
}
