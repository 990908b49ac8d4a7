import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import type { ArchiveSource } from '../../../src/backfill/archive-source.ts'
import { FolderArchive } from '../../../src/backfill/folder-archive.ts'
import { ManifestArchive } from '../../../src/backfill/manifest-archive.ts'
import { planBackfill } from '../../../src/backfill/plan.ts'
import { tempFolder } from '../../support/temp-folder.ts'

async function folderOf(paths: readonly string[]): Promise<string> {
  const root = await tempFolder()
  for (const path of paths) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), 'x')
  }
  return root
}

async function all(archive: ArchiveSource, after = '') {
  const found: { position: string; name: string }[] = []
  for await (const { position, what } of archive.entries(after)) found.push({ position, name: 'code' in what ? what.code : 'name' in what ? what.name : '' })
  return found
}

const paths = ['a.pdf', 'a/b.pdf', 'a/c/d.pdf', 'a/c/e.pdf', 'a/z.pdf', 'b.png', 'c/1.pdf', 'c/2.pdf', 'd.pdf', 'e.pdf']

it.each([2, 3, 100])('walks a folder in one order and goes on behind any entry, with %i names held at once', async (names) => {
  const root = await folderOf([...paths, '.hidden.pdf', 'note.txt'])
  const whole = await all(new FolderArchive(root, names))
  expect(whole.map(({ name }) => name).sort()).toEqual([...paths, 'note.txt'].sort())
  for (const [i, { position }] of whole.entries()) expect(await all(new FolderArchive(root, names), position)).toEqual(whole.slice(i + 1))
})

it('goes on in a folder whose last entry has been taken away', async () => {
  const root = await folderOf(['a/1.pdf', 'a/3.pdf', 'b.pdf'])
  expect((await all(new FolderArchive(root), 'a/2.pdf')).map(({ name }) => name)).toEqual(['a/3.pdf', 'b.pdf'])
})

it('rejects for a folder that is not there', async () => {
  await expect(all(new FolderArchive('/nowhere/at/all'))).rejects.toMatchObject({ code: 'document-not-found' })
})

it('reads a manifest of paths and objects, goes on behind any line, and names lines that are none', async () => {
  const root = await tempFolder()
  const path = join(root, 'list')
  await writeFile(path, `one.pdf\r\n\n{"path":"ü/two.pdf","name":"Two","id":"2"}\n{"nothing":1}\n${'x'.repeat(70_000)}\n/three.pdf`)
  const whole = await all(new ManifestArchive(path))
  expect(whole.map(({ name }) => name)).toEqual(['one.pdf', 'Two', 'manifest-invalid', 'manifest-invalid', 'three.pdf'])
  for (const [i, { position }] of whole.entries()) expect(await all(new ManifestArchive(path), position)).toEqual(whole.slice(i + 1))
})

it('samples the same entries for the same seed and scales what they showed to the whole', async () => {
  const root = await tempFolder()
  const path = join(root, 'list')
  await writeFile(path, Array.from({ length: 500 }, (_, i) => `${i}.pdf`).join('\n'))
  const run = async (seed: number) => {
    let names: string[] = []
    const plan = await planBackfill(new ManifestArchive(path), { sample: 10, seed }, async (files) => {
      names = files.map(({ name }) => name)
      return { documents: 10, failed: 1, pages: 30, modelPages: 0, bytes: 1000, seconds: 5 }
    })
    return { plan, names }
  }
  const first = await run(7)
  expect(first.plan).toMatchObject({ entries: 500, sampled: 10, documents: 450, pages: 1500, bytes: 50_000, pagesPerSecond: 6 })
  expect(await run(7)).toEqual(first)
  expect((await run(8)).names).not.toEqual(first.names)
})

it('estimates tokens and GPU-hours for the pages that need a model, from figures that it is given and no others', async () => {
  const path = join(await tempFolder(), 'list')
  await writeFile(path, Array.from({ length: 500 }, (_, i) => `${i}.pdf`).join('\n'))
  const plan = async (modelPages: number, figures: { tokensPerPage?: number; tokensPerSecond?: number }) => {
    const measured = { documents: 10, failed: 0, pages: 40, modelPages, bytes: 1000, seconds: 5 }
    const { tokens, gpuHours, ...rest } = await planBackfill(new ManifestArchive(path), { sample: 10, seed: 1, ...figures }, async () => measured)
    return { tokens, gpuHours, modelPages: rest.modelPages }
  }
  expect(await plan(18, { tokensPerPage: 800, tokensPerSecond: 1000 })).toEqual({ modelPages: 900, tokens: 720_000, gpuHours: 0.2 })
  expect(await plan(18, { tokensPerPage: 800 })).toEqual({ modelPages: 900, tokens: 720_000, gpuHours: null })
  expect(await plan(18, { tokensPerSecond: 1000 })).toEqual({ modelPages: 900, tokens: null, gpuHours: null })
  expect(await plan(0, {})).toEqual({ modelPages: 0, tokens: 0, gpuHours: 0 })
})
