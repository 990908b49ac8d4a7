// What the compiler does not do: the command line may be run, by `npx pagestream` inside this repository too.
import { chmodSync, existsSync, rmSync, symlinkSync } from 'node:fs'

const bin = new URL('../dist/bundle/cli.js', import.meta.url)
const binFolder = new URL('../node_modules/.bin/', import.meta.url)

if (existsSync(bin)) chmodSync(bin, 0o755)
if (process.platform !== 'win32' && existsSync(binFolder)) {
  const link = new URL('pagestream', binFolder)
  rmSync(link, { force: true })
  symlinkSync('../../dist/bundle/cli.js', link)
}
