/** Lines of a log that are kept: what a server says last before it ends is why. */
export const keptLines = 50
const toldLines = 3
const longestTold = 300

const telling =
  /error|fail|fatal|exception|cannot|can't|unable|not found|no such|out of memory|invalid|unrecognized|unknown|already in use|refus|denied|killed/i
/** Said of everything, also of what is well or only follows from what was said before. */
const idle = /traceback|error: process completed|cleaning up|warning/i

/** The last lines of a log that say what is wrong; the very last ones where none does. Of a server that has seen no document yet. */
export function reasonInLog(lines: readonly string[]): string {
  const told = lines.filter((line) => telling.test(line) && !idle.test(line)).slice(-toldLines)
  return (told.length > 0 ? told : lines.slice(-toldLines)).map((line) => line.trim().slice(0, longestTold)).join(' | ')
}

/** What is looked for in the log of a server that has seen documents: its lines may hold their text, these words do not. */
const knownReasons: readonly (readonly [RegExp, string])[] = [
  [/out of memory|failed to allocate|OutOfMemoryError/i, 'out of memory'],
  [/illegal memory access/i, 'illegal memory access on the GPU'],
  [/device-side assert/i, 'an assertion failed on the GPU'],
  [/ECC error|Xid|fallen off the bus/i, 'the GPU reports a fault'],
  [/EngineDeadError|engine core .{0,40}died/i, 'its engine process died'],
  [/segmentation fault|SIGSEGV/i, 'segmentation fault'],
  [/GGML_ASSERT|assertion/i, 'an assertion failed'],
]

/** Why a server that was at work has ended, in our own words; empty where its log has none of the known reasons. */
export const knownReason = (lines: readonly string[]): string => knownReasons.find(([pattern]) => lines.some((line) => pattern.test(line)))?.[1] ?? ''

export const isPortTaken = (lines: readonly string[]): boolean => lines.some((line) => /address already in use|couldn't bind|EADDRINUSE/i.test(line))
