// Writes the sample documents in samples/. With --check nothing is written: the files on disk must be what would be.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { makeBlank, makeGarbageTextLayer, makePhoto, makeScan } from './samples/make-pages.mjs'
import { makePaper } from './samples/make-paper.mjs'

const makers = {
  'paper.pdf': makePaper,
  'scan.pdf': makeScan,
  'blank.pdf': makeBlank,
  'garbage-text-layer.pdf': makeGarbageTextLayer,
  'photo.jpg': makePhoto,
}

const folder = fileURLToPath(new URL('../samples/', import.meta.url))
const check = process.argv.includes('--check')
mkdirSync(folder, { recursive: true })
for (const [name, make] of Object.entries(makers)) {
  const bytes = Buffer.from(await make())
  const path = `${folder}${name}`
  if (!check) {
    writeFileSync(path, bytes)
    console.log(`samples/${name}: ${bytes.length} bytes`)
  } else if (existsSync(path) && readFileSync(path).equals(bytes)) {
    console.log(`samples/${name} is fresh`)
  } else {
    console.error(`samples/${name} is ${existsSync(path) ? 'stale' : 'missing'}: run node scripts/make-samples.mjs`)
    process.exitCode = 1
  }
}
