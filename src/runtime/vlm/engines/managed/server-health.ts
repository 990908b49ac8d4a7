const pauseMs = 250
const answerMs = 5_000

/** Whether a server says within the time that it is well. Never rejects. */
export async function isHealthy(url: string, withinMs = answerMs, signal?: AbortSignal): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/health`, { signal: signal ? AbortSignal.any([signal, AbortSignal.timeout(withinMs)]) : AbortSignal.timeout(withinMs) })
    await answer.body?.cancel()
    return answer.ok
  } catch {
    return false
  }
}

/** Asks until the server is well: every kind answers under `/health`, while it loads with an error or not at all. False after an abort. */
export async function whenHealthy(url: string, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    if (await isHealthy(url, answerMs, signal)) return !signal.aborted
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, pauseMs)
      function done(): void {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        resolve()
      }
      signal.addEventListener('abort', done)
    })
  }
  return false
}
