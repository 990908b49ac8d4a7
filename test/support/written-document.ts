import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DocumentSource } from '../../src/schema/page.ts'

/** A folder for the files of a test; `remove` it afterwards. */
export async function documentFolder(): Promise<{ write(name: string, bytes: Uint8Array): Promise<DocumentSource>; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'pagestream-documents-'))
  return {
    async write(name, bytes) {
      const path = join(folder, name)
      await writeFile(path, bytes)
      return { name, path, mediaType: '', bytes: bytes.length, sha256: '' }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
