import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { cacheFolder } from '../../config/places.ts'
import { CodeCache } from './code-cache.ts'

/** What an entry may tell: when enough of its code has run to be worth keeping compiled. */
interface Entry {
  readonly warm?: Promise<unknown>
}

interface Loaded {
  readonly exports: object
}

type Wrapped = (exports: object, require: (id: string) => unknown, module: Loaded, filename: string, folder: string) => void

/**
 * Runs a bundled CommonJS script and what it requires from its folder, with the compiled code that an earlier process has
 * kept: parsing the scripts and compiling their functions takes longer than reading a page. Without such code the scripts
 * are compiled as always, and what has been compiled until the entry is `warm` is kept.
 */
export function startScript(path: string, cache = new CodeCache(join(cacheFolder(), 'code'))): void {
  const folder = dirname(path)
  const loaded = new Map<string, Loaded>()
  const fresh: { source: string; script: Script }[] = []

  const load = (file: string): object => {
    const known = loaded.get(file)
    if (known) return known.exports
    const module: Loaded = { exports: {} }
    loaded.set(file, module)
    const source = readFileSync(file, 'utf8')
    const cachedData = cache.read(source)
    const script = new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
      filename: file,
      ...(cachedData && { cachedData }),
    })
    if (!cachedData || script.cachedDataRejected) fresh.push({ source, script })
    const require = createRequire(file)
    const wrapped = script.runInThisContext() as Wrapped
    wrapped.call(module.exports, module.exports, (id) => (id.startsWith('./') ? load(join(folder, id)) : require(id)), module, file, folder)
    return module.exports
  }

  const entry = load(path) as Entry
  void entry.warm?.then(() => {
    for (const { source, script } of fresh) cache.write(source, script.createCachedData())
  })
}
