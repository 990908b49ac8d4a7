import { createHash } from 'node:crypto'

/** File systems allow 255 bytes a name; the mark of a document adds `.json` to it, a second file of the same name a hash. */
const longestNameBytes = 240

/**
 * Names the output folder of each input: its path below the folder it was found in, extension
 * included; a name that another file of the run has already taken gets the hash of its path, one that is too long is cut and gets its own.
 */
export class OutputFolders {
  readonly #taken = new Map<string, string>()

  nameOf(name: string, path: string): string {
    const wanted = name
      .split(/[\\/]/)
      .map((part) => shortened(part.replace(/[\u0000-\u001f<>:"|?*]/g, '_').replace(/^\.+$/, '_')))
      .join('/')
    const owner = this.#taken.get(wanted)
    const folder = owner === undefined || owner === path ? wanted : `${wanted}-${shortHash(path)}`
    this.#taken.set(folder, path)
    return folder
  }
}

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8)

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= longestNameBytes) return name
  const ending = `-${shortHash(name)}`
  let kept = ''
  let bytes = ending.length
  for (const character of name) {
    bytes += Buffer.byteLength(character)
    if (bytes > longestNameBytes) break
    kept += character
  }
  return kept + ending
}
