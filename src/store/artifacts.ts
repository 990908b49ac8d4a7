import type { ArtifactRef } from '../schema/events.ts'

/**
 * Values that events refer to. A `passing` value lives until its page is done and may never be
 * encoded; a `lasting` one survives a restart and is written once: the first writer wins.
 */
export interface Artifacts {
  put(key: string, value: unknown, life: 'passing' | 'lasting'): Promise<ArtifactRef>
  /** Rejects with `artifact-missing`. A lasting value read from the store is not checked: callers parse it with its schema. */
  get<T>(ref: ArtifactRef): Promise<T>
  /** Whether a lasting value is there. */
  has(key: string): Promise<boolean>
  /** Forgets the values of that life at the key and below `prefix/`, lasting ones only right below it. */
  forget(prefix: string, life: 'passing' | 'lasting'): Promise<void>
}
