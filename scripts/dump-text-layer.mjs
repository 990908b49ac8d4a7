// Prints the text layer of one page as JSON: node scripts/dump-text-layer.mjs FILE PAGE [--words]. PAGE counts from 1.
import { statSync } from 'node:fs'
import { configSchema } from '../dist/config/config.js'
import { documentReader } from '../dist/runtime/documents/open-document-reader.js'

const [file, page = '1', mode] = process.argv.slice(2)
if (!file) {
  console.error('usage: node scripts/dump-text-layer.mjs FILE PAGE [--words | --info]')
  process.exit(2)
}
const reader = documentReader(configSchema.parse({ workers: 1 }))
try {
  const source = { name: file, path: file, mediaType: '', bytes: statSync(file).size, sha256: '' }
  const document = await reader.open(source, process.env.PDF_PASSWORD ? { password: process.env.PDF_PASSWORD } : {})
  if (mode === '--info') console.log(JSON.stringify(document.info, null, 2))
  else {
    const layer = await document.textLayer(Number(page) - 1)
    if (mode === '--words') {
      for (const line of layer.lines) {
        const words = layer.words.slice(line.first, line.first + line.count)
        console.log(
          words.map((w) => `${w.spaceBefore ? ' ' : ''}${w.hidden ? `{${w.hidden}}` : ''}${w.raised ? `^${w.raised}:` : ''}${w.text}`).join('|'),
          line.angle || '',
          line.vertical ? 'vertical' : '',
        )
      }
    } else console.log(JSON.stringify(layer, null, 1))
  }
} catch (error) {
  console.error(`${error.code ?? error.name}: ${error.message}`)
  process.exitCode = 1
} finally {
  await reader[Symbol.asyncDispose]()
}
