/** An object as it lies in the store. */
export interface StoredObject {
  readonly key: string
  readonly bytes: number
  readonly modifiedMs: number
}

/** Where big bytes live. Keys are paths with `/`; one contract suite runs against every implementation. */
export interface BlobStore {
  /** Writes the object whole or not at all. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Writes only if there is none yet: true when this call wrote it. The first writer wins. */
  putIfAbsent(key: string, bytes: Uint8Array): Promise<boolean>
  /**
   * `putIfAbsent` with the bytes of a file, which are never held whole. The key follows from the content, whose SHA-256 is handed in: of several
   * writers in the same moment more than one may be told that it wrote, and all write the same. Rejects with `input-changed` where the bytes that
   * were read are others, and has written none then.
   */
  putFile(key: string, path: string, sha256: string): Promise<boolean>
  /** Rejects with `artifact-missing` when there is none, or when its bytes are not those that were written. */
  get(key: string): Promise<Uint8Array>
  /**
   * Writes the object to a file that is made for it, without holding it whole. Rejects with `artifact-missing`, and with
   * `document-too-large` where it has more bytes; nothing is left at the path then.
   */
  getToFile(key: string, path: string, maxBytes: number): Promise<void>
  has(key: string): Promise<boolean>
  delete(key: string): Promise<void>
  /** Deletes the object of that key and everything below `prefix/`. */
  deleteAll(prefix: string): Promise<void>
  /** Keys that begin with the prefix, ascending. */
  list(prefix: string): AsyncIterable<string>
  /** The same with size and age, from behind a key on. */
  objects(prefix: string, after?: string): AsyncIterable<StoredObject>
  /** What writers that were killed have left and no key shows, if it was begun before that time. Answers how many; a dry run deletes none. */
  deleteDrafts(beforeMs: number, dryRun: boolean): Promise<number>
}
