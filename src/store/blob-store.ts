/** Where big bytes live. Keys are paths with `/`; one contract suite runs against every implementation. */
export interface BlobStore {
  /** Writes the object whole or not at all. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Writes only if there is none yet: true when this call wrote it. The first writer wins. */
  putIfAbsent(key: string, bytes: Uint8Array): Promise<boolean>
  /** Rejects with `artifact-missing` when there is none. */
  get(key: string): Promise<Uint8Array>
  has(key: string): Promise<boolean>
  delete(key: string): Promise<void>
  /** Deletes the object of that key and everything below `prefix/`. */
  deleteAll(prefix: string): Promise<void>
  /** Keys that begin with the prefix, ascending. */
  list(prefix: string): AsyncIterable<string>
}
