// Assembles what is installed in production, outside of this repository, and starts it there: `node scripts/production-tree.mjs [--keep]`. Fails where a
// file of it needs a package that is not installed with it, where a command does not come to its end, or where it is larger than allowed.
import { execFileSync, spawnSync } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { builtinModules, createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const mostBytes = 250e6
/** Packages that are installed by whoever wants what they do; the program says so where they are missing. */
const optional = new Set(['node-llama-cpp'])

const inMegabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`

function* filesOf(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesOf(path)
    else yield path
  }
}

const bytesOf = (folder) => [...filesOf(folder)].reduce((sum, file) => sum + lstatSync(file).size, 0)

/** As the package is published and its lock file says: without what development needs, and without natives of other platforms. */
function assemble(folder) {
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  const app = join(folder, 'app')
  mkdirSync(app)
  execFileSync('tar', ['-xzf', join(folder, archive), '-C', app, '--strip-components=1'])
  execFileSync('cp', [join(root, 'package-lock.json'), join(root, '.npmrc'), app])
  execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--silent'], { cwd: app, stdio: ['ignore', 'ignore', 'inherit'] })
  execFileSync(process.execPath, [join(root, 'scripts/keep-platform.mjs'), app])
  return app
}

const imported = /\b(?:require|require\.resolve|import)\(\s*["']([@a-z][\w@./-]*)["']|^(?:import|export)\b[^"'\n]*["']([@a-z][\w@./-]*)["']/gm

/** Packages that the bundles name and that cannot be resolved from beside them. */
function missingPackages(app) {
  const folder = join(app, 'dist/bundle')
  const { resolve } = createRequire(join(folder, 'cli.js'))
  const resolved = new Set()
  const missing = new Set()
  for (const file of filesOf(folder)) {
    for (const [, loaded, declared] of readFileSync(file, 'utf8')
      .replace(/^\s*(?:\*|\/[/*]).*/gm, '')
      .matchAll(imported)) {
      const name = loaded ?? declared
      if (name.startsWith('node:') || builtinModules.includes(name) || optional.has(name)) continue
      try {
        resolve(name)
        resolved.add(name)
      } catch {
        missing.add(name)
      }
    }
  }
  return { resolved: [...resolved].sort(), missing: [...missing].sort() }
}

function run(app, ...args) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(NODE_|npm_|PAGESTREAM_)/.test(name)))
  const cwd = join(app, '..')
  const started = performance.now()
  const result = spawnSync(process.execPath, [join(app, 'dist/bundle/cli.js'), ...args], {
    ...{ cwd, encoding: 'utf8', timeout: 120_000 },
    env: { ...env, HOME: cwd, TMPDIR: cwd, PAGESTREAM_CACHE: join(cwd, 'cache') },
  })
  if (result.status !== 0) throw new Error(`pagestream ${args.join(' ')}: exit code ${result.status}\n${result.stdout}${result.stderr}`)
  console.log(`pagestream ${args[0]} ${args[1] ?? ''}: exit code 0 after ${((performance.now() - started) / 1000).toFixed(1)} s`.replace(root, ''))
  return result.stdout
}

/** A text layer, a scan that OCR reads, and a photo: PDFium, ONNX Runtime and sharp all have to load. */
function parseSamples(app, folder) {
  for (const name of ['paper.pdf', 'scan.pdf', 'photo.jpg']) {
    const out = join(folder, `out-${name}`)
    run(app, 'parse', join(root, 'samples', name), '--out', out)
    if (![...filesOf(out)].some((file) => file.endsWith('.md') && lstatSync(file).size > 100)) throw new Error(`parsing ${name}: there is no Markdown`)
  }
}

function report(app) {
  const modules = join(app, 'node_modules')
  const names = readdirSync(modules).flatMap((name) => (name.startsWith('@') ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : [name]))
  const sizes = names
    .filter((name) => !name.startsWith('.'))
    .map((name) => ({ name, bytes: lstatSync(join(modules, name)).isDirectory() ? bytesOf(join(modules, name)) : 0 }))
  const own = { name: 'pagestream itself', bytes: bytesOf(join(app, 'dist')) + bytesOf(join(app, 'models')) }
  const sorted = [...sizes, own].sort((a, b) => b.bytes - a.bytes)
  const shown = sorted.slice(0, 12)
  for (const { name, bytes } of shown) console.log(`${inMegabytes(bytes).padStart(10)}  ${name}`)
  console.log(`${inMegabytes(sorted.slice(12).reduce((sum, { bytes }) => sum + bytes, 0)).padStart(10)}  ${sorted.length - 12} others`)
  const whole = bytesOf(app)
  console.log(`${inMegabytes(whole).padStart(10)}  installed, without Node itself; allowed are ${inMegabytes(mostBytes)}`)
  return whole
}

const folder = mkdtempSync(join(tmpdir(), 'pagestream-production-'))
try {
  const app = assemble(folder)
  const { resolved, missing } = missingPackages(app)
  console.log(`packages that the bundles load: ${resolved.join(', ')}`)
  if (missing.length > 0) throw new Error(`not installed in production: ${missing.join(', ')}`)
  run(app, 'worker', '--help')
  run(app, 'doctor')
  parseSamples(app, folder)
  if (report(app) > mostBytes) throw new Error('larger than allowed')
} finally {
  if (process.argv.includes('--keep')) console.log(folder)
  else rmSync(folder, { recursive: true, force: true })
}
