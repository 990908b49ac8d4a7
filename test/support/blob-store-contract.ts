import { createHash } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { BlobStore } from '../../src/store/blob-store.ts'
import { tempFolder } from './temp-folder.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const sha256 = (value: Uint8Array) => createHash('sha256').update(value).digest('hex')
const text = (value: Uint8Array) => new TextDecoder().decode(value)

/** What every blob store promises. `open` gives an empty one. */
export function blobStoreContract(name: string, open: () => Promise<BlobStore>): void {
  describe(`${name} keeps the contract of a blob store`, () => {
    it('gives back what was put, and the latest of two puts', async () => {
      const store = await open()
      await store.put('a/b', bytes('one'))
      await store.put('a/b', bytes('two'))
      expect(text(await store.get('a/b'))).toBe('two')
    })

    it('lets the first of many writers win', async () => {
      const store = await open()
      const wrote = await Promise.all(Array.from({ length: 8 }, (_, i) => store.putIfAbsent('a/key', bytes(`${i}`))))
      expect(wrote.filter(Boolean)).toHaveLength(1)
      expect(text(await store.get('a/key'))).toBe(`${wrote.indexOf(true)}`)
      expect(await store.putIfAbsent('a/key', bytes('late'))).toBe(false)
    })

    it('lets the first of many writers of a big object win, and all read what it wrote', async () => {
      const store = await open()
      const written = Array.from({ length: 5 }, (_, i) => Buffer.alloc(17 * 1024 ** 2, `writer ${i} `))
      const wrote = await Promise.all(written.map((big) => store.putIfAbsent('a/big', big)))
      expect(wrote.filter(Boolean)).toHaveLength(1)
      const read = await Promise.all(written.map(() => store.get('a/big')))
      for (const each of read) expect(Buffer.compare(each, written[wrote.indexOf(true)] as Buffer)).toBe(0)
      expect(await store.putIfAbsent('a/big', bytes('late'))).toBe(false)
      expect(await store.deleteDrafts(Date.UTC(2200), true)).toBe(0)
    })

    it('holds one whole file that many put at once', async () => {
      const [store, folder] = [await open(), await tempFolder()]
      const big = Buffer.alloc(17 * 1024 ** 2, 'the key follows from this')
      await writeFile(join(folder, 'big'), big)
      const wrote = await Promise.all(Array.from({ length: 4 }, () => store.putFile('in/big', join(folder, 'big'), sha256(big))))
      expect(wrote).toContain(true)
      expect(Buffer.compare(await store.get('in/big'), big)).toBe(0)
      expect(await store.deleteDrafts(Date.UTC(2200), true)).toBe(0)
    })

    it('says artifact-missing for what is not there', async () => {
      const store = await open()
      await expect(store.get('none')).rejects.toMatchObject({ code: 'artifact-missing' })
      expect(await store.has('none')).toBe(false)
    })

    it('lists keys by prefix, ascending, and nothing unfinished', async () => {
      const store = await open()
      for (const key of ['p/2', 'p/1', 'p/sub/3', 'q/1', 'pp']) await store.put(key, bytes(key))
      const list = async (prefix: string) => {
        const keys: string[] = []
        for await (const key of store.list(prefix)) keys.push(key)
        return keys
      }
      expect(await list('p/')).toEqual(['p/1', 'p/2', 'p/sub/3'])
      expect(await list('')).toEqual(['p/1', 'p/2', 'p/sub/3', 'pp', 'q/1'])
    })

    it('lists in the order of whole keys, from behind any of them, whether it is there or not', async () => {
      const store = await open()
      const keys = ['k/a-b/1', 'k/a.json', 'k/a/1', 'k/a/2', 'k/b']
      for (const key of keys) await store.put(key, bytes(key))
      const behind = async (after?: string) => {
        const found: string[] = []
        for await (const { key } of store.objects('k/', after)) found.push(key)
        return found
      }
      expect(await behind()).toEqual(keys)
      for (const [i, key] of keys.entries()) expect(await behind(key)).toEqual(keys.slice(i + 1))
      expect(await behind('k/a/15')).toEqual(['k/a/2', 'k/b'])
    })

    it('tells the size and age of what it lists', async () => {
      const store = await open()
      const startedMs = Date.now()
      await store.put('o/1', bytes('four'))
      const found: unknown[] = []
      for await (const object of store.objects('o/')) found.push(object)
      expect(found).toEqual([{ key: 'o/1', bytes: 4, modifiedMs: expect.any(Number) }])
      expect(Math.abs((found[0] as { modifiedMs: number }).modifiedMs - startedMs)).toBeLessThan(60_000)
    })

    it('takes files of any size once, and gives them back as files', async () => {
      const [store, folder] = [await open(), await tempFolder()]
      const big = Buffer.alloc(20 * 1024 ** 2 + 3, 'every part differs ') // more than goes to a bucket in one piece
      big.writeUInt32BE(7, big.length - 4)
      for (const [name, content] of [['big', big] as const, ['small', bytes('few')] as const, ['empty', bytes('')] as const]) {
        await writeFile(join(folder, name), content)
        await writeFile(join(folder, 'later'), 'later')
        expect(await store.putFile(`in/${name}`, join(folder, name), sha256(content))).toBe(true)
        expect(await store.putFile(`in/${name}`, join(folder, 'later'), sha256(content))).toBe(false)
        await store.getToFile(`in/${name}`, join(folder, `${name}.copy`), content.length)
        expect(Buffer.compare(await readFile(join(folder, `${name}.copy`)), content)).toBe(0)
      }
      expect(Buffer.compare(await store.get('in/big'), big)).toBe(0)
    })

    it('refuses a file whose bytes are not those of its hash, and keeps nothing of it', async () => {
      const [store, folder] = [await open(), await tempFolder()]
      for (const content of [bytes('few'), Buffer.alloc(17 * 1024 ** 2, 'in parts ')]) {
        await writeFile(join(folder, 'changed'), content)
        await expect(store.putFile('in/changed', join(folder, 'changed'), sha256(bytes('before')))).rejects.toMatchObject({ code: 'input-changed' })
        expect(await store.has('in/changed')).toBe(false)
        expect(await store.deleteDrafts(Date.UTC(2200), true)).toBe(0)
        expect(await store.putFile('in/changed', join(folder, 'changed'), sha256(content))).toBe(true)
        await store.delete('in/changed')
      }
    })

    it('writes no file of an object that is missing or larger than allowed', async () => {
      const [store, folder] = [await open(), await tempFolder()]
      await store.put('a', bytes('12345'))
      const path = join(folder, 'copy')
      await expect(store.getToFile('a', path, 4)).rejects.toMatchObject({ code: 'document-too-large' })
      await expect(store.getToFile('none', path, 4)).rejects.toMatchObject({ code: 'artifact-missing' })
      await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' })
    })

    it('has no drafts where no writer was killed', async () => {
      const store = await open()
      await store.put('a', bytes('1'))
      expect(await store.deleteDrafts(Date.now() + 60_000, false)).toBe(0)
      expect(await store.has('a')).toBe(true)
    })

    it('deletes one object, or all below a prefix and no neighbour of it', async () => {
      const store = await open()
      for (const key of ['d/1', 'd/2', 'd2/1']) await store.put(key, bytes(key))
      await store.delete('d/1')
      expect(await store.has('d/1')).toBe(false)
      await store.deleteAll('d')
      expect(await store.has('d/2')).toBe(false)
      expect(await store.has('d2/1')).toBe(true)
      await store.delete('d/1')
      await store.put('d/1', bytes('again'))
      expect(text(await store.get('d/1'))).toBe('again')
    })
  })
}
