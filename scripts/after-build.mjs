// What the compiler does not do: the executable bit of the command line.
import { chmodSync, existsSync } from 'node:fs'

const bin = new URL('../dist/cli/main.js', import.meta.url)
if (existsSync(bin)) chmodSync(bin, 0o755)
