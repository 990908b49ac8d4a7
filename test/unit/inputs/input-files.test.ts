import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { type InputFile, inputFiles, type PassedOver } from '../../../src/inputs/input-files.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const pdf = '%PDF-1.4\n'

async function collect(inputs: string[], stream: NodeJS.ReadableStream = Readable.from([]), maxBytes = 100): Promise<(InputFile | PassedOver)[]> {
  const files: (InputFile | PassedOver)[] = []
  for await (const file of inputFiles(inputs, { stream, folder: join(await tempFolder(), 'stdin'), maxBytes })) files.push(file)
  return files
}

async function folder(): Promise<string> {
  const root = await tempFolder()
  await mkdir(join(root, 'sub/.git'), { recursive: true })
  await writeFile(join(root, 'b.pdf'), pdf)
  await writeFile(join(root, 'no-extension'), pdf)
  await writeFile(join(root, 'notes.txt'), 'notes')
  await writeFile(join(root, 'broken.pdf'), '<html>')
  await writeFile(join(root, '.hidden.pdf'), pdf)
  await writeFile(join(root, 'sub/a.pdf'), pdf)
  await writeFile(join(root, 'sub/.git/c.pdf'), pdf)
  return root
}

describe('inputs', () => {
  it('finds the documents of a folder by content or name, hidden files left out, the rest passed over', async () => {
    const files = await collect([await folder()])
    expect(files.filter((file): file is InputFile => 'name' in file).map(({ name }) => name)).toEqual([
      'b.pdf',
      'broken.pdf',
      'no-extension',
      join('sub', 'a.pdf'),
    ])
    expect(files.filter((file) => 'passedOver' in file)).toHaveLength(1)
  })

  it('takes a file that is named as it is, whatever it holds', async () => {
    const path = join(await folder(), 'notes.txt')
    expect(await collect([path])).toEqual([{ path, name: 'notes.txt' }])
  })

  it('expands globs', async () => {
    const files = await collect([`${await folder()}/**/*.pdf`])
    expect(files.map((file) => 'name' in file && file.name)).toEqual(['b.pdf', 'broken.pdf', 'a.pdf'])
  })

  it('names what is not there, an empty folder and a glob without matches, each with its code', async () => {
    const empty = await tempFolder()
    const files = await collect([join(empty, 'none.pdf'), empty, `${empty}/*.pdf`])
    expect(files.map((file) => 'failure' in file && file.failure?.code)).toEqual(['document-not-found', 'directory-empty', 'directory-empty'])
  })

  it('reads standard input for a dash', async () => {
    const [file] = await collect(['-'], Readable.from([Buffer.from(pdf)]))
    expect(file).toMatchObject({ name: 'stdin' })
    expect(await readFile(file?.path ?? '', 'utf8')).toBe(pdf)
  })

  it('stops reading standard input that is longer than a document may be', async () => {
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.from(pdf)
      })(),
    )
    const [file] = await collect(['-'], endless)
    expect(file).toMatchObject({ name: 'stdin', failure: { code: 'document-too-large' } })
  })

  it.skipIf(process.getuid?.() === 0)('names a folder that cannot be listed and reads its neighbours (needs a user other than root)', async () => {
    const root = await folder()
    await chmod(join(root, 'sub'), 0)
    const files = await collect([root])
    await chmod(join(root, 'sub'), 0o755)
    expect(files).toContainEqual(expect.objectContaining({ name: 'sub', failure: expect.objectContaining({ code: 'document-not-found' }) }))
    expect(files).toContainEqual({ path: join(root, 'b.pdf'), name: 'b.pdf' })
  })
})
