import { basename } from 'node:path'
import type { Config } from '../config/config.ts'
import { PagestreamError } from '../schema/failure.ts'

/** A document that lies elsewhere: an object of a bucket, or what a web server gives out. */
export type Reference = { readonly scheme: 's3'; readonly bucket: string; readonly key: string } | { readonly scheme: 'https'; readonly url: URL }

/** Parameters of a URL that open it to whoever knows them. */
const credentialParameter =
  /^(x-amz-(signature|credential|security-token)|x-goog-(signature|credential)|sig(nature)?|(access_?|auth_?)?token|api_?key|key|password|secret)$/i

export const isRemote = (text: string): boolean => /^(s3|https?|ftp):\/\//i.test(text)

/** What a reference is called for people: no host, no parameters. */
export function referenceName(reference: Reference): string {
  const path = reference.scheme === 's3' ? reference.key : reference.url.pathname
  try {
    return basename(decodeURIComponent(path)) || 'document'
  } catch {
    return basename(path) || 'document'
  }
}

/** A reference as it may be shown: without user, password and parameters; of one that is no URL the scheme alone, as nobody can tell its parts. */
export const withoutSecrets = (text: string): string =>
  URL.canParse(text) ? text.replace(/[?#].*$/s, '').replace(/^(\w+:\/\/)[^/]*@/, '$1') : text.replace(/:.*$/s, '://…')

/** Parses a reference and holds it against the lists of `inputs`. Rejects with `input-forbidden`; messages hold the scheme and host alone. */
export function allowedReference(text: string, inputs: Config['inputs']): Reference {
  if (/^s3:/i.test(text)) return allowedObject(text, inputs.buckets)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url) throw forbidden('a reference', 'is no URL')
  allowUrl(url, inputs.hosts)
  return { scheme: 'https', url }
}

/** Also for every redirect: only `https:`, no user or password, and a host that is listed. */
export function allowUrl(url: URL, hosts: readonly string[]): void {
  if (url.protocol !== 'https:') throw forbidden(url.protocol, 'is a scheme that is not allowed; https: and s3: are')
  if (url.username !== '' || url.password !== '') throw forbidden(`https://${url.host}`, 'holds a user or password')
  if (!hosts.some((allowed) => isHost(url, allowed.toLowerCase()))) throw forbidden(`https://${url.host}`, 'is a host that inputs.hosts does not list')
}

/** A URL that opens by what stands in it does not belong on a topic. */
export function refuseSecrets(reference: Reference): void {
  if (reference.scheme === 'https' && [...reference.url.searchParams.keys()].some((name) => credentialParameter.test(name)))
    throw forbidden(`https://${reference.url.host}`, 'holds a signature or token; put the file into the store')
}

function isHost(url: URL, allowed: string): boolean {
  const [, host = '', port = ''] = /^(.*?)(?::(\d+))?$/.exec(allowed) ?? []
  if (port !== url.port && !(port === '443' && url.port === '')) return false
  return host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) && url.hostname.length >= host.length : url.hostname === host
}

function allowedObject(text: string, buckets: readonly string[]): Reference {
  const [, bucket = '', key = ''] = /^s3:\/\/([^/@?#]+)\/(.+)$/i.exec(text) ?? []
  if (key === '' || key.startsWith('/') || key.split('/').includes('..')) throw forbidden('s3:', 'is no reference of the form s3://bucket/key')
  const place = `${bucket}/${key}`
  if (!buckets.some((allowed) => place.startsWith(`${allowed.replace(/\/+$/, '')}/`)))
    throw forbidden(`s3://${bucket}`, 'is a bucket or prefix that inputs.buckets does not list')
  return { scheme: 's3', bucket, key }
}

const forbidden = (what: string, why: string) => new PagestreamError('input-forbidden', `fetching a document: ${what} ${why}`)
