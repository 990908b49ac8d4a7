import { randomUUID } from 'node:crypto'
import type { BlobStore } from '../store/blob-store.ts'
import { passingPrefix } from '../store/store-artifacts.ts'

/** One object a process, that expires with the other passing ones. */
const key = `${passingPrefix}probes/${randomUUID()}`

/** Whether the store takes an object and gives it back. */
export async function storeAnswers(store: BlobStore): Promise<boolean> {
  const bytes = Buffer.from(randomUUID())
  try {
    await store.put(key, bytes)
    return bytes.equals(await store.get(key))
  } catch {
    return false
  }
}
