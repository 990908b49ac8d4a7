/** Where the files of one document go. Paths are relative, with `/`. */
export interface OutputSink {
  /** Writes a whole file, or nothing. */
  write(path: string, bytes: Uint8Array | string): Promise<void>
  /** A file that grows; it has its name only once it is closed. */
  stream(path: string): WritableTextFile
}

export interface WritableTextFile {
  /** Resolves when more may be written. */
  write(text: string): Promise<void>
  close(): Promise<void>
  /** Forgets what was written. */
  discard(): Promise<void>
}
