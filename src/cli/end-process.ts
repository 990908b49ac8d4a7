/** Ends the process with an exit code when all is written: a client that still looks for its broker, or waits for its group, would keep it. */
export function endProcess(code: number): void {
  process.exitCode = code
  process.stdout.write('', () => process.exit())
}
