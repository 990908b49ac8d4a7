import { createRequire } from 'node:module'
import { crc32c } from './crc32c.ts'

/** A record as the client gives it to be encoded. Times are relative to those of its batch. */
interface RecordParts {
  readonly offsetDelta?: number
  readonly timestampDelta?: number
  readonly key?: Buffer | string | null
  readonly value?: Buffer | string | null
  readonly headers?: Readonly<Record<string, HeaderValue | readonly HeaderValue[]>>
}

type HeaderValue = Buffer | string | null

/** What the client wants of an encoded record. */
interface Encoded {
  readonly buf: Buffer
  readonly buffer: Buffer
}

/**
 * A record of a batch of format 2, its length before it (Apache Kafka's message format, "Record"). The client makes half a kilobyte
 * of zeros for the record and for each of its headers, and more when that is too small: with a handful of headers most of what a
 * record costs to send. Here its size is counted first, and it is written once.
 */
export function encodeRecord({ offsetDelta = 0, timestampDelta = 0, key = null, value = null, headers = {} }: RecordParts): Encoded {
  const list = Object.entries(headers).flatMap(([name, values]) => (Array.isArray(values) ? values : [values]).map((one: HeaderValue) => [name, one] as const))
  let body = 1 + varIntSize(timestampDelta) + varIntSize(offsetDelta) + sizedSize(key) + sizedSize(value) + varIntSize(list.length)
  for (const [name, one] of list) body += sizedSize(name) + sizedSize(one)
  const buf = Buffer.allocUnsafe(varIntSize(body) + body)
  let at = writeVarInt(buf, 0, body)
  buf[at++] = 0 // attributes: none are defined
  at = writeVarInt(buf, at, timestampDelta)
  at = writeVarInt(buf, at, offsetDelta)
  at = writeSized(buf, at, key)
  at = writeSized(buf, at, value)
  at = writeVarInt(buf, at, list.length)
  for (const [name, one] of list) {
    at = writeSized(buf, at, name)
    at = writeSized(buf, at, one)
  }
  return { buf, buffer: buf }
}

const byteLength = (part: Buffer | string): number => (typeof part === 'string' ? Buffer.byteLength(part) : part.length)

/** Bytes of a key, value or header with its length before it; null has the length -1. */
function sizedSize(part: Buffer | string | null): number {
  if (part === null) return 1
  const bytes = byteLength(part)
  return varIntSize(bytes) + bytes
}

function writeSized(buf: Buffer, at: number, part: Buffer | string | null): number {
  if (part === null) return writeVarInt(buf, at, -1)
  const bytes = byteLength(part)
  const start = writeVarInt(buf, at, bytes)
  if (typeof part === 'string') buf.write(part, start, bytes, 'utf8')
  else part.copy(buf, start)
  return start + bytes
}

/** Zigzag, seven bits a byte, for whole numbers that are exact; times of a batch may lie further apart than 32 bits hold. */
const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value)

function varIntSize(value: number): number {
  let bytes = 1
  for (let rest = zigzag(value); rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes++
  return bytes
}

function writeVarInt(buf: Buffer, start: number, value: number): number {
  let at = start
  let rest = zigzag(value)
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) buf[at++] = (rest % 0x80) | 0x80
  buf[at++] = rest
  return at
}

// What sends records is loaded with the client's first request to produce: it finds these in place of the client's own.
const require = createRequire(import.meta.url)
replace('record/v0/index.js', encodeRecord)
replace('crc32C/crc32C.js', crc32c)

function replace(part: string, by: unknown): void {
  const place = require.resolve(`kafkajs/src/protocol/recordBatch/${part}`)
  require(place)
  const module = require.cache[place]
  if (module) module.exports = by
}
