import { lookup as systemLookup } from 'node:dns'
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Config } from '../config/config.ts'
import { sniffedBytes, sniffMediaType } from '../runtime/documents/media-type.ts'
import { PagestreamError } from '../schema/failure.ts'
import { writeNewFile } from '../store/write-new-file.ts'
import { isRefusedAddress } from './private-address.ts'
import { allowUrl } from './reference.ts'

/** Where names are resolved and connections made; tests hand in their own. */
export interface Network {
  readonly lookup: LookupFunction
  readonly request: (options: RequestOptions, take: (response: IncomingMessage) => void) => ClientRequest
  readonly isRefused: (address: string, privateAddresses: boolean) => boolean
}

const network: Network = { lookup: systemLookup, request: httpsRequest, isRefused: isRefusedAddress }

/**
 * Fetches what a URL gives out into a file that is made for it. Every address is looked at when its name is resolved and once more by the
 * socket that connects, so a name that changes in between gains nothing. Nothing is left at the path on failure. Rejects with `input-forbidden`,
 * `input-unreachable`, `document-not-found`, `document-too-large`, `document-not-supported`.
 */
export async function fetchHttps(url: URL, path: string, maxBytes: number, inputs: Config['inputs'], over: Network = network): Promise<void> {
  const signal = AbortSignal.timeout(inputs.fetchTimeoutMs)
  try {
    const response = await follow(url, inputs, over, signal)
    if (Number(response.headers['content-length'] ?? 0) > maxBytes) {
      response.destroy()
      throw tooLarge(url, maxBytes)
    }
    await writeNewFile(path, response, (source) => documentBytes(source, url, maxBytes), { signal })
  } catch (error) {
    if (error instanceof PagestreamError) throw error
    const reason = signal.aborted ? `it took longer than inputs.fetchTimeoutMs` : ((error as NodeJS.ErrnoException).code ?? 'the connection broke')
    throw new PagestreamError('input-unreachable', `fetching from ${url.host}: ${reason}`)
  }
}

/** The first answer that is no redirect. Each is held against the list of hosts and their addresses before anything is sent there. */
async function follow(first: URL, inputs: Config['inputs'], over: Network, signal: AbortSignal): Promise<IncomingMessage> {
  let url = first
  for (let redirects = 0; ; redirects++) {
    allowUrl(url, inputs.hosts)
    const response = await ask(url, inputs, over, signal)
    const status = response.statusCode ?? 0
    if (status === 200) return response
    response.destroy()
    const { location } = response.headers
    if (![301, 302, 303, 307, 308].includes(status) || location === undefined) throw refusedBy(url, status)
    if (redirects >= inputs.maxRedirects) throw new PagestreamError('input-forbidden', `fetching from ${first.host}: more redirects than inputs.maxRedirects`)
    if (!URL.canParse(location, url.href)) throw refusedBy(url, status)
    url = new URL(location, url)
  }
}

async function ask(url: URL, inputs: Config['inputs'], over: Network, signal: AbortSignal): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const lookup = guarded(over, inputs.privateAddresses)
  // An address in place of a name is never looked up by a socket.
  if (isIP(host)) checkAddress(over, host, host, inputs.privateAddresses)
  else await new Promise<void>((resolve, reject) => lookup(host, { all: true }, (error) => (error ? reject(error) : resolve())))
  return new Promise((resolve, reject) => {
    const options = { host, servername: isIP(host) ? '' : host, port: url.port || 443, path: url.pathname + url.search, agent: false as const }
    const headers = { host: url.host, accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'pagestream' }
    const request = over.request({ ...options, method: 'GET', headers, lookup, signal }, resolve)
    request.on('error', reject)
    request.end()
  })
}

/** A lookup that refuses a name as soon as one of its addresses is refused. */
function guarded(over: Network, privateAddresses: boolean): LookupFunction {
  return (hostname, options, callback) =>
    over.lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, [])
      try {
        const addresses = typeof found === 'string' ? [{ address: found, family: isIP(found) }] : found
        for (const { address } of addresses) checkAddress(over, hostname, address, privateAddresses)
        const [one] = addresses
        if (options.all || !one) callback(null, addresses)
        else callback(null, one.address, one.family)
      } catch (refused) {
        callback(refused as Error, [])
      }
    })
}

function checkAddress(over: Network, host: string, address: string, privateAddresses: boolean): void {
  if (over.isRefused(address, privateAddresses))
    throw new PagestreamError('input-forbidden', `fetching from ${host}: it has an address that is not of the public internet`)
}

/** The bytes, as long as they are a document of at most so many bytes, whatever the server calls them. */
async function* documentBytes(source: AsyncIterable<Buffer>, url: URL, maxBytes: number): AsyncIterable<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0)
  let bytes = 0
  for await (const piece of source) {
    bytes += piece.length
    if (bytes > maxBytes) throw tooLarge(url, maxBytes)
    if (head) {
      head = Buffer.concat([head, piece])
      if (head.length < sniffedBytes) continue
      checkContent(head, url)
      yield head
      head = undefined
    } else yield piece
  }
  if (!head) return
  checkContent(head, url)
  yield head
}

function checkContent(head: Uint8Array, url: URL): void {
  if (sniffMediaType(head) === undefined) throw new PagestreamError('document-not-supported', `fetching from ${url.host}: what it gives out is no document`)
}

const tooLarge = (url: URL, maxBytes: number) =>
  new PagestreamError('document-too-large', `fetching from ${url.host}: it gives out more than the ${maxBytes} bytes that are allowed`)

function refusedBy(url: URL, status: number): PagestreamError {
  const passing = status === 408 || status === 425 || status === 429 || status >= 500
  return new PagestreamError(passing ? 'input-unreachable' : 'document-not-found', `fetching from ${url.host}: it answers ${status}`)
}
