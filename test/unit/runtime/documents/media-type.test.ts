import { describe, expect, it } from 'vitest'
import { pdfHeaderOffset, sniffMediaType } from '../../../../src/runtime/documents/media-type.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1')

describe('sniffMediaType', () => {
  it.each([
    ['%PDF-1.4\n', 'application/pdf'],
    [`${'x'.repeat(900)}%PDF-1.4\n`, 'application/pdf'],
    ['\x89PNG\r\n\x1a\n', 'image/png'],
    ['\xff\xd8\xff\xe0', 'image/jpeg'],
    ['RIFF\x00\x00\x00\x00WEBPVP8 ', 'image/webp'],
    ['II*\x00', 'image/tiff'],
    ['MM\x00*', 'image/tiff'],
    ['GIF89a', 'image/gif'],
    ['\x00\x00\x00\x1cftypavif\x00\x00\x00\x00mif1miaf', 'image/avif'],
    ['\x00\x00\x00\x1cftypmif1\x00\x00\x00\x00avifmiaf', 'image/avif'],
    ['\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1', 'image/heif'],
  ])('takes %j for %s', (head, type) => {
    expect(sniffMediaType(bytes(head))).toBe(type)
  })

  it.each(['', '<html>', 'PK\x03\x04', 'RIFF\x00\x00\x00\x00WAVE', '\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00isom', '%!PS-Adobe'])(
    'takes %j for nothing it reads',
    (head) => {
      expect(sniffMediaType(bytes(head))).toBeUndefined()
    },
  )

  it('does not look for a PDF header past the first kilobyte', () => {
    expect(pdfHeaderOffset(bytes(`${'x'.repeat(1024)}%PDF-1.4`))).toBe(1024)
    expect(pdfHeaderOffset(bytes(`${'x'.repeat(1025)}%PDF-1.4`))).toBe(-1)
  })
})
