import { lookup } from 'node:dns/promises'
import { PagestreamError } from '../../schema/failure.ts'

const mostWorkers = 2_000

/** Where a worker answers: `http://host:port`. */
export type WorkerAddress = string

/** Finds the addresses that a name stands for, as they are now. */
export type FindAddresses = (name: string) => Promise<readonly string[]>

const byDns: FindAddresses = async (name) => (await lookup(name, { all: true })).map(({ address }) => address)

/** Workers as they are named on the command line: parsed once, looked up at each look. */
export type NamedWorkers = { readonly address: WorkerAddress } | { readonly name: string; readonly port: number }

/**
 * Reads `host:port`, `http://host:port`, `host:9400-9407` (a port each) and `dns:name:port` (all addresses of the name, as of a headless service).
 * Throws `configuration`.
 */
export function namedWorkers(list: readonly string[]): NamedWorkers[] {
  const found = list.flatMap((entry) => namedBy(entry.trim()))
  if (found.length === 0 || found.length > mostWorkers) throw new PagestreamError('configuration', `--workers: 1 to ${mostWorkers} can be looked at`)
  return found
}

function namedBy(entry: string): NamedWorkers[] {
  const dns = /^dns:([a-z0-9_.-]{1,253}):(\d{1,5})$/i.exec(entry)
  if (dns) return [{ name: dns[1] ?? '', port: portOf(dns[2], entry) }]
  const range = /^(.*):(\d{1,5})-(\d{1,5})$/.exec(entry)
  if (range) {
    const [first, last] = [portOf(range[2], entry), portOf(range[3], entry)]
    if (last < first || last - first >= mostWorkers) throw refused(entry)
    return Array.from({ length: last - first + 1 }, (_, i) => ({ address: addressOf(`${range[1]}:${first + i}`, entry) }))
  }
  return [{ address: addressOf(entry, entry) }]
}

function addressOf(text: string, entry: string): WorkerAddress {
  const given = text.includes('://') ? text : `http://${text}`
  if (!URL.canParse(given)) throw refused(entry)
  const url = new URL(given)
  const isBare = (url.pathname === '/' || url.pathname === '/metrics') && url.username === '' && url.password === '' && url.search === ''
  if (!isBare || !/^https?:$/.test(url.protocol) || url.hostname === '') throw refused(entry)
  return url.origin
}

function portOf(text: string | undefined, entry: string): number {
  const port = Number(text)
  if (!(port >= 1 && port <= 65_535)) throw refused(entry)
  return port
}

const refused = (entry: string) =>
  new PagestreamError('configuration', `--workers: ${entry.replace(/\/\/[^/@]*@/, '//')} is none of host:port, http://host:port, host:9400-9407, dns:name:port`)

/** Where the workers are now, each once; a name that is not known has none. */
export async function addressesOf(workers: readonly NamedWorkers[], find: FindAddresses = byDns): Promise<WorkerAddress[]> {
  const found = await Promise.all(
    workers.map(async (worker) => {
      if ('address' in worker) return [worker.address]
      const addresses = await find(worker.name).catch(() => [])
      return addresses.map((address) => `http://${address.includes(':') ? `[${address}]` : address}:${worker.port}`)
    }),
  )
  return [...new Set(found.flat())].slice(0, mostWorkers)
}
