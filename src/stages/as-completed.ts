/**
 * Runs `work` on the items, at most `limit` at a time in their order, and yields each result as soon as it is there.
 * After an abort no further item is begun; those in flight are still yielded. `work` must not reject.
 */
export async function* asCompleted<In, Out>(items: readonly In[], work: (item: In) => Promise<Out>, limit: number, signal: AbortSignal): AsyncGenerator<Out> {
  const running = new Map<number, Promise<{ key: number; result: Out }>>()
  let next = 0
  for (;;) {
    while (running.size < limit && next < items.length && !signal.aborted) {
      const key = next++
      running.set(
        key,
        work(items[key] as In).then((result) => ({ key, result })),
      )
    }
    if (running.size === 0) return
    const { key, result } = await Promise.race(running.values())
    running.delete(key)
    yield result
  }
}
