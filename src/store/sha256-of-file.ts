import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/** SHA-256 of the bytes of a file, in hexadecimal. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(piece)
  return hash.digest('hex')
}
