import type { ArtifactRef } from '../schema/events.ts'
import type { Versions } from './versions.ts'

/**
 * Values that events refer to. A `passing` value lives until its page is done and may never be
 * encoded; a `lasting` one survives a restart and is written once: the first writer wins.
 */
interface EventValues {
  put(key: string, value: unknown, life: 'passing' | 'lasting'): Promise<ArtifactRef>
  /** Rejects with `artifact-missing`. A lasting value read from the store is not checked: callers parse it with its schema. */
  get<T>(ref: ArtifactRef): Promise<T>
  /** Where a value is, undefined when there is none; `lasting` does not look for passing ones. */
  find(key: string, life: 'lasting' | 'either'): Promise<ArtifactRef | undefined>
  /** Names and places of the values right below `prefix/`, of either life. */
  list(prefix: string): AsyncIterable<{ readonly name: string; readonly ref: ArtifactRef }>
  /** A page has ended without having been read: one process lets go of its passing values, a shared store keeps them until they expire, for a replay. */
  abandon(prefix: string): Promise<void>
  /** Forgets the values of that life at the key and below `prefix/`, lasting ones only right below it. */
  forget(prefix: string, life: 'passing' | 'lasting'): Promise<void>
}

/** Those of one process: nobody else reads or writes them. */
export interface OwnArtifacts extends EventValues {
  readonly shared: false
}

/** Those of many processes: pages of one document may be read by several, and by others after a restart. */
export interface SharedArtifacts extends EventValues {
  readonly shared: true
  /** `latest` is a lasting value that the next writer replaces. */
  put(key: string, value: unknown, life: 'passing' | 'lasting' | 'latest'): Promise<ArtifactRef>
  /** A value that processes replace at the same time. */
  versions<T>(key: string): Versions<T>
}

export type Artifacts = OwnArtifacts | SharedArtifacts
