import { mostTextBytes, readMetricsText, type ToldSample } from '../../telemetry/metrics-text.ts'
import type { WorkerAddress } from './worker-addresses.ts'

const atOnce = 32

/** What a worker told, or why it did not. */
export type Scrape = { readonly address: WorkerAddress } & ({ readonly samples: readonly ToldSample[] } | { readonly away: string })

/** Asks all workers, so many at once; one that does not answer within the time is away. Never rejects. */
export async function scrapeAll(addresses: readonly WorkerAddress[], timeoutMs: number): Promise<Scrape[]> {
  const scrapes: Scrape[] = []
  let next = 0
  const work = async () => {
    for (;;) {
      const at = next++
      const address = addresses[at]
      if (address === undefined) return
      scrapes[at] = await scrape(address, timeoutMs)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, addresses.length) }, work))
  return scrapes
}

async function scrape(address: WorkerAddress, timeoutMs: number): Promise<Scrape> {
  try {
    const answer = await fetch(`${address}/metrics`, { redirect: 'error', headers: { accept: 'text/plain' }, signal: AbortSignal.timeout(timeoutMs) })
    if (answer.status !== 200) {
      await answer.body?.cancel()
      return { address, away: `answers ${answer.status}` }
    }
    const samples = readMetricsText(await boundedText(answer))
    return samples.some(({ name }) => name === 'pagestream_up') ? { address, samples } : { address, away: 'is no worker' }
  } catch (error) {
    return { address, away: reasonOf(error) }
  }
}

async function boundedText(answer: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of answer.body ?? []) {
    bytes += piece.length
    if (bytes > mostTextBytes) throw new Error('reading metrics: the answer is too long')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'does not answer'
  if (error.name === 'TimeoutError') return 'does not answer in time'
  if (error.message.startsWith('reading metrics')) return 'tells no metrics that can be read'
  const { cause } = error
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED' ? 'nobody listens there' : 'cannot be reached'
}
