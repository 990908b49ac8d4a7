import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nodeContender } from '../contender.mjs'
import { cacheFolder } from '../install-peers.mjs'
import { blockPagesPdf } from './block-pages.mjs'
import { startStub } from './stub-process.mjs'

const folder = join(cacheFolder, 'documents', 'block-pages')
const quick = { slots: 16, decode: 1e6, total: 1e7, prefill: 1e9 }

export const modelConfig = (url, slots) => ({
  formats: ['json', 'md'],
  images: false,
  ocr: 'always',
  vlm: { family: 'mineru2.5', engine: { kind: 'vllm', urls: [url], slots } },
})

/** Path of a document of so many pages that take turns over `seeds`. */
export function blockPagesFile(pages, seeds) {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${pages}-${seeds.join('-')}.pdf`)
  writeFileSync(file, blockPagesPdf(pages, seeds))
  return file
}

/**
 * Files with the bodies of all questions that pagestream asks about each of the pages, a line each: its layout, then its blocks. Each page is read alone, as
 * a document of its own, so that bodies and pages go together.
 */
export async function recordedPages(seeds) {
  mkdirSync(folder, { recursive: true })
  const worker = nodeContender('pagestream', 'pagestream')
  const files = []
  try {
    for (const seed of seeds) {
      const record = join(folder, `bodies-${seed}.jsonl`)
      rmSync(record, { force: true })
      const stub = await startStub(quick, record)
      try {
        await worker.ask({ files: [blockPagesFile(1, [seed])], config: modelConfig(stub.url, quick.slots) })
      } finally {
        stub.close()
      }
      // The first is the trial of the engine with a known page.
      const [, ...bodies] = readFileSync(record, 'utf8').trim().split('\n')
      if (!existsSync(record) || bodies.length !== 14) throw new Error(`page ${seed}: ${bodies.length} questions were recorded, not 14`)
      writeFileSync(record, `${bodies.join('\n')}\n`)
      files.push(record)
    }
  } finally {
    worker.close()
  }
  return files
}
