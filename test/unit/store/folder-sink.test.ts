import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FolderSink } from '../../../src/store/folder-sink.ts'
import { tempFolder } from '../../support/temp-folder.ts'

describe('the folder sink', () => {
  it('gives a streamed file its name only when it is closed', async () => {
    const folder = await tempFolder()
    const stream = new FolderSink(folder).stream('document.md')
    for (let i = 0; i < 5000; i++) await stream.write(`line ${i} of a file that is longer than the buffer\n`)
    expect(await readdir(folder)).not.toContain('document.md')
    await stream.close()
    const text = await readFile(join(folder, 'document.md'), 'utf8')
    expect(text.split('\n')).toHaveLength(5001)
    expect(await readdir(folder)).toEqual(['document.md'])
  })

  it('leaves nothing behind when a stream is abandoned', async () => {
    const folder = await tempFolder()
    const stream = new FolderSink(folder).stream('a/b.json')
    await stream.write('x'.repeat(200_000))
    await stream.discard()
    expect(await readdir(join(folder, 'a'))).toEqual([])
  })

  it('writes an empty file for a stream without text', async () => {
    const folder = await tempFolder()
    await new FolderSink(folder).stream('chunks.jsonl').close()
    expect(await readFile(join(folder, 'chunks.jsonl'), 'utf8')).toBe('')
  })

  it('refuses paths that leave the folder', async () => {
    const sink = new FolderSink(await tempFolder())
    await expect(sink.write('../x', 'y')).rejects.toMatchObject({ code: 'internal' })
    await expect(sink.stream('/x').close()).rejects.toMatchObject({ code: 'internal' })
  })
})
