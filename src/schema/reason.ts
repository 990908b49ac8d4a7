import { debuglog } from 'node:util'

/** With NODE_DEBUG=pagestream, exceptions of others are printed whole, as they are: they may name paths and hold text. */
const logCause = debuglog('pagestream')

/** What the operating system means by its codes. */
const systemReasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EBUSY: 'it is in use',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'it is there already',
  EINVAL: 'the place does not allow it',
  EIO: 'the device reports an error',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead in a circle',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
  ENFILE: 'too many files are open on this machine',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'no space is left on the device',
  ENOTDIR: 'a part of its path is not a folder',
  ENOTEMPTY: 'the folder is not empty',
  EPERM: 'it is not permitted',
  EROFS: 'the file system is read-only',
  ESTALE: 'the network file system has lost it',
  ETXTBSY: 'it is in use',
}

/** The code of an error of the operating system, undefined for all other values. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' && /^E[A-Z0-9]{1,20}$/.test(error.code) ? error.code : undefined
}

/**
 * What an exception that is not ours says in a message of ours: the operating system's reason, else its kind and the place in the code.
 * Its own message stays out, for it may hold paths or text of the document.
 */
export function reasonOf(error: unknown): string {
  logCause('%o', error)
  const code = systemCode(error)
  if (code !== undefined) return `${systemReasons[code] ?? 'the operating system refuses'} (${code})`
  if (!(error instanceof Error)) return 'an unexpected value was thrown'
  const kind = /^\w{1,40}$/.test(error.name) ? error.name : 'Error'
  return `an unexpected ${kind}${placeOf(error)}`
}

/** ` in readBlock (file.js:10)`: the innermost function that was not run by Node itself. */
function placeOf({ message, stack = '' }: Error): string {
  const frames = stack.slice(stack.indexOf(message) + message.length) // a message may hold lines that look like frames
  for (const line of frames.split('\n')) {
    const frame = /^\s+at (?:(?:async )?(?:new )?([\w$.#<> ]{1,80}) \()?(?:file:\/\/)?[^()]*?([\w.-]+:\d+):\d+\)?$/.exec(line)
    if (frame && !line.includes('node:')) return frame[1] ? ` in ${frame[1]} (${frame[2]})` : ` (${frame[2]})`
  }
  return ''
}
