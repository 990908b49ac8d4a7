import type { IHeaders } from 'kafkajs'
// @ts-expect-error The client has no types for its inner parts.
import Decoder from 'kafkajs/src/protocol/decoder.js'

interface Header {
  readonly key: string
  readonly value: Buffer | null
}

/** Where the headers are kept as they came, one after the other. */
const inOrder = Symbol('headers in order')

/** Headers by name; a name that comes more than once has a list. Null is a header without a value. */
type RecordHeaders = Readonly<Record<string, Buffer | null | (Buffer | null)[]>> & { readonly [inOrder]?: readonly Header[] }

type ReadArray = (this: unknown, reader: (decoder: unknown) => Header) => Header[]

/**
 * The client gathers the headers of a record by copying all that it has for each one more, into an object that has names of its own
 * (`constructor`): one record with many headers stops the process for minutes, one with such a name gives it values that are no bytes. The only
 * place that reads headers folds this array, so the array folds itself.
 */
const { prototype } = Decoder as { prototype: { readVarIntArray: ReadArray } }
const read = prototype.readVarIntArray
prototype.readVarIntArray = function (reader) {
  const headers = read.call(this, reader)
  return Object.assign(headers, { reduce: () => gathered(headers) })
}

function gathered(headers: readonly Header[]): RecordHeaders {
  const byName: Record<string, Buffer | null | (Buffer | null)[]> & { [inOrder]?: readonly Header[] } = Object.create(null)
  byName[inOrder] = headers
  for (const { key, value } of headers) {
    const known = byName[key]
    if (known === undefined) byName[key] = value
    else if (Array.isArray(known)) known.push(value)
    else byName[key] = [known, value]
  }
  return byName
}

/** One after the other, each with a copy of its bytes: the client's buffer holds a whole fetch. */
export function headerList(headers: IHeaders | undefined): [name: string, value: Buffer | null][] {
  const list = (headers as RecordHeaders | undefined)?.[inOrder] ?? []
  return list.map(({ key, value }) => [key, value && Buffer.from(value)])
}

/** The first value of a header as text. */
export function headerText(headers: IHeaders | undefined, name: string): string | undefined {
  const values = (headers as RecordHeaders | undefined)?.[name]
  const first = Array.isArray(values) ? values[0] : values
  return first?.toString()
}
