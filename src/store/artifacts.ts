import type { ArtifactRef } from '../schema/events.ts'

/**
 * Values that events refer to. A `passing` value lives until its page is done and may never be
 * encoded; a `lasting` one survives a restart and is written once: the first writer wins, and `put`
 * answers with a reference to what is there.
 */
export interface Artifacts {
  put(key: string, value: unknown, life: 'passing' | 'lasting'): Promise<ArtifactRef>
  /** Rejects with `artifact-missing`. */
  get<T>(ref: ArtifactRef): Promise<T>
  has(key: string): Promise<boolean>
  /** Forgets passing values whose key begins with the prefix. */
  forget(prefix: string): void
}
