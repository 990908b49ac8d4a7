// What every generator shares: write the file, or with --check say whether the one on disk is what would be written.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const isCheck = process.argv.includes('--check')
const pathOf = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url))

function complain(text) {
  console.error(`${text}: build, then run the script without --check`)
  process.exitCode = 1
}

/** `name` is relative to the repository, `content` text or bytes. With `--check` on the command line nothing is written and a stale file ends in exit code 1. */
export function writeGenerated(name, content) {
  const path = pathOf(name)
  const wanted = Buffer.from(content)
  const current = existsSync(path) ? readFileSync(path) : undefined
  if (!isCheck) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, wanted)
    console.log(typeof content === 'string' ? `${name}: ${content.split('\n').length} lines` : `${name}: ${wanted.length} bytes`)
  } else if (current?.equals(wanted)) {
    console.log(`${name} is fresh`)
  } else {
    complain(`${name} is ${current === undefined ? 'missing' : 'stale'}`)
  }
}

/** Files of a folder that the generator no longer writes. */
export function removeStale(folder, names) {
  const path = pathOf(folder)
  for (const name of existsSync(path) ? readdirSync(path) : []) {
    if (names.includes(name)) continue
    if (isCheck) complain(`${folder}/${name} is of no use any more`)
    else rmSync(`${path}/${name}`)
  }
}
