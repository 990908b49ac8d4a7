/** Lines of a log that are kept: what a server says last before it ends is why. */
export const keptLines = 50
const toldLines = 3
const longestTold = 300

const saysWhy =
  /error|fail|fatal|exception|cannot|can't|unable|not found|no such|out of memory|invalid|unrecognized|unknown|already in use|refus|denied|killed/i
/** Said of everything, also of what is well or only follows from what was said before. */
const saysLittle = /traceback|error: process completed|cleaning up|warning/i

/**
 * The lines of a log that say what is wrong: the first, which names the cause, and the last, which ends an exception's trace; the very last lines
 * where none says so. Of a server that has seen no document yet.
 */
export function reasonInLog(lines: readonly string[]): string {
  const telling = lines.filter((line) => saysWhy.test(line) && !saysLittle.test(line)).map((line) => line.trim().slice(0, longestTold))
  const told = new Set([...telling.slice(0, 1), ...telling.slice(1 - toldLines)])
  return [...(told.size > 0 ? told : lines.slice(-toldLines).map((line) => line.slice(0, longestTold)))].join(' | ')
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
