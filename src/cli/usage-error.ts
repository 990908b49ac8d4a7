/** Says what is wrong with the command line; answers with the exit code for it. */
export function usageError(problem: string): number {
  process.stderr.write(`error: ${problem}\n`)
  return 2
}
