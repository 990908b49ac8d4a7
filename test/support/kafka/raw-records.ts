import { connect } from 'node:net'
// @ts-expect-error The client has no types for its inner parts.
import crc32c from 'kafkajs/src/protocol/recordBatch/crc32C/index.js'

/** A record as bytes: what the client would not send, such as headers without a value, can be. */
export interface RawRecord {
  readonly key: Buffer | null
  readonly value: Buffer | null
  readonly headers: readonly (readonly [name: string, value: Buffer | null])[]
}

type Codec = 'none' | 'snappy'

/** Sends records to one partition of a broker that asks for no login, one batch each; answers with the offset of the first. */
export async function sendRaw(address: string, topic: string, partition: number, records: readonly RawRecord[], codec: Codec = 'none'): Promise<bigint> {
  let first: bigint | undefined
  for (const record of records) {
    const offset = await produce(address, topic, partition, batch(record, codec))
    first ??= offset
  }
  return first ?? -1n
}

const int8 = (value: number) => Buffer.from([value & 0xff])
const int16 = (value: number) => sized(2, (bytes) => bytes.writeInt16BE(value))
const int32 = (value: number) => sized(4, (bytes) => bytes.writeInt32BE(value))
const int64 = (value: bigint) => sized(8, (bytes) => bytes.writeBigInt64BE(value))
const text = (value: string) => Buffer.concat([int16(Buffer.byteLength(value)), Buffer.from(value)])

function sized(size: number, write: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.alloc(size)
  write(bytes)
  return bytes
}

/** Zigzag, seven bits a byte. */
function varint(value: number): Buffer {
  const bytes: number[] = []
  for (let left = value < 0 ? -value * 2 - 1 : value * 2; ; left = Math.floor(left / 128)) {
    bytes.push(left >= 128 ? (left % 128) | 0x80 : left)
    if (left < 128) return Buffer.from(bytes)
  }
}

const varBytes = (bytes: Buffer | null) => (bytes ? Buffer.concat([varint(bytes.length), bytes]) : varint(-1))

function batch({ key, value, headers }: RawRecord, codec: Codec): Buffer {
  const fields = headers.flatMap(([name, bytes]) => [varBytes(Buffer.from(name)), varBytes(bytes)])
  const body = Buffer.concat([int8(0), varint(0), varint(0), varBytes(key), varBytes(value), varint(headers.length), ...fields])
  const record = Buffer.concat([varint(body.length), body])
  const now = BigInt(Date.now())
  const counted = Buffer.concat([
    ...[int16(codec === 'snappy' ? 2 : 0), int32(0), int64(now), int64(now), int64(-1n), int16(-1), int32(-1), int32(1)],
    codec === 'snappy' ? snappy(record) : record,
  ])
  const rest = Buffer.concat([int32(-1), int8(2), sized(4, (bytes) => bytes.writeUInt32BE(crc32c(counted))), counted])
  return Buffer.concat([int64(0n), int32(rest.length), rest])
}

/** One block, all of it literal. */
function snappy(bytes: Buffer): Buffer {
  if (bytes.length > 60) throw new Error('raw records: only short ones are packed')
  return Buffer.concat([Buffer.from([bytes.length, (bytes.length - 1) << 2]), bytes])
}

function produce(address: string, topic: string, partition: number, records: Buffer): Promise<bigint> {
  const [host, port] = address.split(':')
  const head = [int16(0), int16(7), int32(1), text('raw')] // produce, version 7
  const topics = [int32(1), text(topic), int32(1), int32(partition), int32(records.length), records]
  const request = Buffer.concat([...head, int16(-1), int16(-1), int32(30_000), ...topics])
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), host)
    let answer = Buffer.alloc(0)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('raw records: the broker closed the connection')))
    socket.on('data', (piece) => {
      answer = Buffer.concat([answer, piece])
      if (answer.length < 4 || answer.length < 4 + answer.readInt32BE(0)) return
      const at = 8 + 4 + 2 + answer.readInt16BE(12) + 4 + 4 // size, correlation, topics, name, partitions, partition
      const code = answer.readInt16BE(at)
      if (code === 0) resolve(answer.readBigInt64BE(at + 2))
      else reject(new Error(`raw records: the broker answers ${code}`))
      socket.destroy()
    })
    socket.write(Buffer.concat([int32(request.length), request]))
  })
}
