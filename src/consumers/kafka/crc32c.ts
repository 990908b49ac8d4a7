/** Tables for four bytes at once, of the polynomial of Castagnoli (RFC 3720, appendix B.4), bits reversed. */
const tables = Array.from({ length: 4 }, () => new Int32Array(256))
const [first = new Int32Array(), second = first, third = first, fourth = first] = tables
for (let byte = 0; byte < 256; byte++) {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1
  first[byte] = crc
}
for (let byte = 0; byte < 256; byte++) {
  for (const [i, table] of tables.entries()) {
    const before = tables[i - 1]?.[byte]
    if (before !== undefined) table[byte] = (before >>> 8) ^ (first[before & 0xff] ?? 0)
  }
}

/** CRC-32C of bytes, unsigned. The client's own takes one byte at a time. */
export function crc32c(bytes: Uint8Array): number {
  let crc = -1
  const whole = bytes.length & ~3
  let at = 0
  for (; at < whole; at += 4) {
    crc ^= (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24)
    crc = (fourth[crc & 0xff] as number) ^ (third[(crc >>> 8) & 0xff] as number) ^ (second[(crc >>> 16) & 0xff] as number) ^ (first[crc >>> 24] as number)
  }
  for (; at < bytes.length; at++) crc = (first[(crc ^ (bytes[at] as number)) & 0xff] as number) ^ (crc >>> 8)
  return ~crc >>> 0
}
