import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatedPdf } from './generate.mjs'
import { cacheFolder } from './install-peers.mjs'

/** Path of the generated document of so many pages, made when it is not in the cache. */
export function generatedFile(pages, seed = 1) {
  const folder = join(cacheFolder, 'documents')
  const file = join(folder, `generated-${pages}-${seed}.pdf`)
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, generatedPdf(pages, seed))
  }
  return file
}
