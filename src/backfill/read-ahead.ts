/** Works on items side by side and hands the results on in the order of the items; at most so many are in hand. */
export async function* readAhead<In, Out>(items: AsyncIterable<In>, atOnce: number, read: (item: In) => Promise<Out>): AsyncIterable<[In, Out]> {
  const inHand: { item: In; reading: Promise<Out> }[] = []
  for await (const item of items) {
    const reading = read(item)
    reading.catch(() => undefined) // told when its turn comes
    inHand.push({ item, reading })
    if (inHand.length < atOnce) continue
    const first = inHand.shift()
    if (first) yield [first.item, await first.reading]
  }
  for (const { item, reading } of inHand) yield [item, await reading]
}
