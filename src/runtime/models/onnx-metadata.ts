import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import { PagestreamError } from '../../schema/failure.ts'

/** Larger metadata values are refused: the longest dictionary known has 120 kB. */
const maxValueBytes = 4 * 1024 ** 2
/** A model file has a handful of fields on its outermost level. */
const maxFields = 4096

const metadataPropsField = 14

/**
 * Reads one entry of `ModelProto.metadata_props` from an ONNX file without loading the model:
 * only the outermost fields are walked, the graph (nearly all bytes) is skipped by its length.
 * Undefined when there is no such entry. Rejects with `model-failed` when the file is no protobuf message.
 * Source: onnx.proto (ModelProto field 14, StringStringEntryProto fields 1 and 2), protobuf encoding.
 */
export async function readOnnxMetadata(path: string, key: string): Promise<string | undefined> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    let at = 0
    for (let fields = 0; at < size; fields++) {
      if (fields >= maxFields) throw broken(path, 'it has too many fields')
      const head = await readAt(file, at, Math.min(24, size - at))
      const tag = varint(head, 0) ?? fail(path)
      const after = at + tag.next
      switch (Number(tag.value & 7n)) {
        case 0:
          at = after + (varint(head, tag.next) ?? fail(path)).next - tag.next
          break
        case 1:
          at = after + 8
          break
        case 5:
          at = after + 4
          break
        case 2: {
          const length = varint(head, tag.next) ?? fail(path)
          const start = at + length.next
          const bytes = Number(length.value)
          if (start + bytes > size) throw broken(path, 'it is cut off')
          if (Number(tag.value >> 3n) === metadataPropsField && bytes <= maxValueBytes) {
            const entry = stringEntry(await readAt(file, start, bytes)) ?? fail(path)
            if (entry.key === key) return entry.value
          }
          at = start + bytes
          break
        }
        default:
          throw broken(path, 'it is no ONNX model')
      }
    }
    return undefined
  } finally {
    await file.close()
  }
}

const broken = (path: string, why: string): PagestreamError => new PagestreamError('model-failed', `reading the metadata of ${path}: ${why}`)

function fail(path: string): never {
  throw broken(path, 'it is no ONNX model')
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

/** A base-128 number of at most 10 bytes and the offset behind it; undefined when it does not end. */
function varint(bytes: Buffer, offset: number): { value: bigint; next: number } | undefined {
  let value = 0n
  for (let i = 0; i < 10; i++) {
    const byte = bytes[offset + i]
    if (byte === undefined) return undefined
    value |= BigInt(byte & 0x7f) << BigInt(7 * i)
    if (byte < 0x80) return { value, next: offset + i + 1 }
  }
  return undefined
}

/** `StringStringEntryProto`: two strings, fields 1 and 2. */
function stringEntry(bytes: Buffer): { key: string; value: string } | undefined {
  const entry = { key: '', value: '' }
  for (let at = 0; at < bytes.length; ) {
    const tag = varint(bytes, at)
    const length = tag && varint(bytes, tag.next)
    if (!tag || !length || (tag.value & 7n) !== 2n) return undefined
    const end = length.next + Number(length.value)
    if (end > bytes.length) return undefined
    const text = bytes.toString('utf8', length.next, end)
    if (tag.value >> 3n === 1n) entry.key = text
    if (tag.value >> 3n === 2n) entry.value = text
    at = end
  }
  return entry
}
