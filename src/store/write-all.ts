import { writeSync } from 'node:fs'

/** Writes all bytes at a position of the file: the system may take them in parts. */
export function writeAll(file: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, position + done)
}
