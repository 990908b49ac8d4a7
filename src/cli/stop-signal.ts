/** Aborts at the first Ctrl-C or SIGTERM; the second one ends the process at once. */
export function stopSignal(): AbortSignal {
  const abort = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (abort.signal.aborted) process.exit(130)
      abort.abort()
    })
  }
  return abort.signal
}
