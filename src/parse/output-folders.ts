import { createHash } from 'node:crypto'

/**
 * Names the output folder of each input: its path below the folder it was found in, extension
 * included; a name that another file of the run has already taken gets the hash of its path.
 */
export class OutputFolders {
  readonly #taken = new Map<string, string>()

  nameOf(name: string, path: string): string {
    const wanted = name
      .split(/[\\/]/)
      .map((part) => part.replace(/[\u0000-\u001f<>:"|?*]/g, '_').replace(/^\.+$/, '_'))
      .join('/')
    const owner = this.#taken.get(wanted)
    const folder = owner === undefined || owner === path ? wanted : `${wanted}-${createHash('sha256').update(path).digest('hex').slice(0, 8)}`
    this.#taken.set(folder, path)
    return folder
  }
}
