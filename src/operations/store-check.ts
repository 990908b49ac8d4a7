import { randomUUID } from 'node:crypto'
import { PagestreamError } from '../schema/failure.ts'
import type { BlobStore } from '../store/blob-store.ts'
import { passingPrefix } from '../store/store-artifacts.ts'

/** Writers that want the same key in the same moment. */
const rivals = 8
const rounds = 3

/**
 * Whether the store keeps to what the chain builds on: it gives back what was written, tells what is there, deletes, and lets exactly one of several
 * writers of a key be the first. It writes below `tmp/` and deletes what it wrote. Rejects with `store-unfit`, and with what the store itself rejects.
 */
export async function checkStore(store: BlobStore): Promise<void> {
  const folder = `${passingPrefix}probes/${randomUUID()}`
  try {
    const bytes = Buffer.from(randomUUID())
    await store.put(`${folder}/written`, bytes)
    if (!bytes.equals(await store.get(`${folder}/written`))) throw unfit('it gave back other bytes than were written')
    for (let round = 0; round < rounds; round++) await oneFirstWriter(store, `${folder}/first-${round}`)
    const keys = new Set<string>()
    for await (const key of store.list(`${folder}/`)) keys.add(key)
    if (keys.size !== rounds + 1) throw unfit(`it lists ${keys.size} of ${rounds + 1} objects that were just written`)
    await store.delete(`${folder}/written`)
    if (await store.has(`${folder}/written`)) throw unfit('it still has an object that was deleted')
  } finally {
    await store.deleteAll(folder).catch(() => {}) // what is left expires with the other passing ones
  }
}

/** All others are told that somebody was before them, and what lies there is the first one's. */
async function oneFirstWriter(store: BlobStore, key: string): Promise<void> {
  const values = Array.from({ length: rivals }, () => Buffer.from(randomUUID()))
  const wrote = await Promise.all(values.map((value) => store.putIfAbsent(key, value)))
  const firsts = values.filter((_, index) => wrote[index])
  const kept = await store.get(key)
  const late = await store.putIfAbsent(key, Buffer.from('late'))
  if (firsts.length !== 1 || late) throw unfit(`${firsts.length + (late ? 1 : 0)} of ${rivals + 1} writers of one object were told that they were the first`)
  if (!firsts[0]?.equals(kept)) throw unfit('a later writer of an object replaced the first')
}

const unfit = (why: string) => new PagestreamError('store-unfit', `checking the store: ${why}`)
