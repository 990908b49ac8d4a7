import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { configSchema } from '../../../../../src/config/config.ts'
import type { DocumentReader } from '../../../../../src/runtime/document-reader.ts'
import { documentReader } from '../../../../../src/runtime/documents/open-document-reader.ts'
import type { DocumentInfo } from '../../../../../src/schema/document.ts'
import type { TextLayer, Word } from '../../../../../src/schema/text-layer.ts'
import { fill, line, show, stream, type TinyImage, type TinyOptions, type TinyPage, tinyPdf } from '../../../../support/tiny-pdf.ts'
import { documentFolder } from '../../../../support/written-document.ts'

let reader: DocumentReader
let folder: Awaited<ReturnType<typeof documentFolder>>
let count = 0

beforeAll(async () => {
  reader = documentReader(configSchema.parse({ workers: 1 }))
  folder = await documentFolder()
})
afterAll(async () => {
  await reader[Symbol.asyncDispose]()
  await folder.remove()
})

async function read(page: TinyPage, options?: TinyOptions): Promise<TextLayer & { info: DocumentInfo }> {
  const source = await folder.write(`${count++}.pdf`, tinyPdf([page], options))
  await using document = await reader.open(source, {})
  return { ...(await document.textLayer(0)), info: document.info }
}

const texts = (layer: TextLayer): string[] => layer.words.map((word) => word.text)
const word = (layer: TextLayer, text: string): Word => {
  const found = layer.words.find((w) => w.text === text)
  if (!found) throw new Error(`no word ${text} among ${texts(layer).join(' ')}`)
  return found
}
const near = (value: readonly number[], expected: readonly number[], within = 1) => {
  for (const [i, v] of value.entries()) expect(Math.abs(v - (expected[i] ?? Number.NaN)), `${value} ~ ${expected}`).toBeLessThanOrEqual(within)
}

const plain: TinyImage = { width: 2, height: 2, rgb: new Uint8Array(12).fill(200) }

describe('a page of which only the size is asked for', () => {
  it('is given with its size, turn and label, and without a word', async () => {
    const source = await folder.write('size.pdf', tinyPdf([{ content: show('Not read', 72, 720) }]))
    await using document = await reader.open(source, {})
    const { words, sizeOnly, width, height, rotation } = await document.textLayer(0, { sizeOnly: true })
    const whole = await document.textLayer(0)
    expect({ words, sizeOnly, width, height, rotation }).toEqual({
      words: [],
      sizeOnly: true,
      width: whole.width,
      height: whole.height,
      rotation: whole.rotation,
    })
    expect(texts(whole)).toEqual(['Not', 'read'])
  })
})

describe('words', () => {
  it('parts words at spaces and keeps their letters together', async () => {
    const layer = await read({ content: show('The quick brown fox', 72, 720) })
    expect(texts(layer)).toEqual(['The', 'quick', 'brown', 'fox'])
    expect(layer.words.map((w) => w.spaceBefore)).toEqual([false, true, true, true])
    expect(layer.lines).toHaveLength(1)
  })

  it('parts words that only a gap parts, and not at kerning', async () => {
    const layer = await read({ content: 'BT /F1 10 Tf 72 720 Td [(AV) 60 (AT) -300 (AR) -40 (E)] TJ ET' })
    expect(texts(layer)).toEqual(['AVAT', 'ARE'])
  })

  it('keeps letters together that are spaced out for effect', async () => {
    const layer = await read({ content: 'BT /F1 12 Tf 3 Tc 72 720 Td (CHAPTER) Tj ET' })
    expect(texts(layer)).toEqual(['CHAPTER'])
  })

  it('sees the space behind a slanted letter that reaches back over the one before it', async () => {
    expect(texts(await read({ content: 'BT /F4 10 Tf 72 720 Td [(Books) -290 (of) -320 (the)] TJ ET' }))).toEqual(['Books', 'of', 'the'])
  })

  it('keeps letters together that are placed one by one at an even step', async () => {
    const content =
      [...'Testing'].map((letter, i) => show(letter, 72 + i * 8, 720)).join('') + [...'it'].map((letter, i) => show(letter, 72 + (i + 8) * 8, 720)).join('')
    expect(texts(await read({ content }))).toEqual(['Testing', 'it'])
  })

  it('gives line-high boxes and the edges of each letter, y down', async () => {
    const layer = await read({ content: show('Hi', 100, 700, 20) })
    const { box, baseline, edges } = word(layer, 'Hi')
    near(box, [100, 792 - 700 - 15.6, 100 + 14.4 + 4.4, 792 - 700 + 4.4], 2)
    expect(baseline).toBeCloseTo(92, 1)
    near(Array.from(edges), [100, 114.4, 118.9], 0.2)
  })

  it('drops the second painting of fake bold', async () => {
    const content = [...'Boldface'].map((letter, i) => show(letter, 72 + i * 8, 700) + show(letter, 72.4 + i * 8, 700)).join('')
    expect(texts(await read({ content }))).toEqual(['Boldface'])
  })

  it('marks superscripts as parts of their word', async () => {
    const layer = await read({ content: `BT /F1 12 Tf 72 700 Td (word) Tj /F1 7 Tf 4 Ts (1) Tj /F1 12 Tf 0 Ts ( next) Tj ET` })
    expect(texts(layer)).toEqual(['word1', 'next'])
    expect(word(layer, 'word1').runs).toEqual([{ start: 4, style: expect.any(Number), raised: 'super' }])
  })

  it('marks the change of style inside a word', async () => {
    const layer = await read({ content: 'BT /F1 12 Tf 72 700 Td (semi) Tj /F2 12 Tf (bold) Tj ET' })
    const { style, runs } = word(layer, 'semibold')
    expect(layer.styles[style]).toMatchObject({ font: 'Helvetica', bold: false, sizePt: 12 })
    expect(runs).toHaveLength(1)
    expect(layer.styles[runs?.[0]?.style ?? -1]).toMatchObject({ bold: true })
  })

  it('tells slanted and monospaced fonts and colours', async () => {
    const layer = await read({ content: `1 0 0 rg ${show('slant', 72, 700, 10, 'F4')} 0 0 1 rg ${show('mono', 72, 600, 10, 'F3')}` })
    expect(layer.styles[word(layer, 'slant').style]).toMatchObject({ italic: true, monospace: false, color: '#ff0000' })
    expect(layer.styles[word(layer, 'mono').style]).toMatchObject({ italic: false, monospace: true, color: '#0000ff' })
  })

  it('takes a soft hyphen for a printed one that ends its word', async () => {
    const layer = await read({ content: 'BT /F1 12 Tf 72 700 Td (exam\\255) Tj 0 -14 Td (ple) Tj ET' })
    expect(layer.words[0]).toMatchObject({ text: 'exam-', hyphen: true })
    expect(layer.lines).toHaveLength(2)
  })

  it('puts an accent that is printed over its letter into the letter', async () => {
    const layer = await read({ content: `${show('Og', 72, 700)}${show('uz', 72 + 16, 700)}${'BT /F1 12 Tf 89.4 700 Td (\\250) Tj ET\n'}` })
    expect(texts(layer)).toEqual(['Ogüz'])
  })

  it('parts a line at a wide gap', async () => {
    const layer = await read({ content: show('left column', 72, 700) + show('right column', 320, 700) })
    expect(layer.lines.map((l) => l.count)).toEqual([2, 2])
  })
})

describe('frame', () => {
  it.each([
    [0, [612, 792], [100, 92], 0],
    [90, [792, 612], [700, 100], 90],
    [180, [612, 792], [512, 700], 180],
    [270, [792, 612], [92, 512], 270],
  ] as const)('follows /Rotate %i', async (rotate, [width, height], [x, y], angle) => {
    const layer = await read({ content: show('corner', 100, 700), rotate })
    expect([layer.width, layer.height, layer.rotation]).toEqual([width, height, rotate])
    const { box } = word(layer, 'corner')
    expect(word(layer, 'corner').angle).toBe(angle)
    // The start of the baseline lies on the border of the box or just inside.
    expect(x).toBeGreaterThan(box[0] - 5)
    expect(x).toBeLessThan(box[2] + 5)
    expect(y).toBeGreaterThan(box[1] - 5)
    expect(y).toBeLessThan(box[3] + 5)
  })

  it('begins at the crop box', async () => {
    const layer = await read({ content: show('inside', 150, 650) + show('outside', 20, 20), cropBox: [100, 600, 400, 700] })
    expect([layer.width, layer.height]).toEqual([300, 100])
    expect(word(layer, 'inside').box[0]).toBeCloseTo(50, 0)
    expect(word(layer, 'inside').baseline).toBeCloseTo(50, 0)
    expect(word(layer, 'outside').hidden).toBe('off-page')
  })

  it('counts in user units', async () => {
    const layer = await read({ content: show('large', 100, 700), userUnit: 2 })
    expect([layer.width, layer.height]).toEqual([1224, 1584])
    expect(layer.styles[word(layer, 'large').style]?.sizePt).toBe(24)
    expect(word(layer, 'large').box[0]).toBeCloseTo(200, 0)
  })

  it('gives text that is turned by its matrix its angle', async () => {
    const layer = await read({ content: 'BT /F1 12 Tf 0 1 -1 0 300 300 Tm (upwards) Tj ET' })
    const { angle, box, edges } = word(layer, 'upwards')
    expect(angle).toBe(270)
    expect(box[3] - box[1]).toBeGreaterThan(2 * (box[2] - box[0]))
    expect(edges[edges.length - 1] ?? 0).toBeGreaterThan(edges[0] ?? 0)
  })
})

describe('hidden words', () => {
  it('tells text of render mode 3', async () => {
    expect(word(await read({ content: `3 Tr ${show('ghost', 72, 700)}` }), 'ghost').hidden).toBe('invisible')
  })

  it('tells white text on white paper, but not on a dark ground', async () => {
    const layer = await read({ content: `${fill(60, 590, 200, 30, '0 0 0.4')} 1 1 1 rg ${show('bright', 72, 600)} ${show('lost', 72, 700)}` })
    expect(word(layer, 'bright').hidden).toBeUndefined()
    expect(word(layer, 'lost').hidden).toBe('same-colour')
  })

  it('tells text in the colour of the area that it stands on', async () => {
    expect(word(await read({ content: `${fill(60, 590, 200, 30, '1 0 0')} 1 0 0 rg ${show('red', 72, 600)}` }), 'red').hidden).toBe('same-colour')
  })

  it('tells text too small to read', async () => {
    expect(word(await read({ content: show('speck', 72, 700, 0.5) }), 'speck').hidden).toBe('tiny')
  })

  it('tells text under a later area or picture', async () => {
    const layer = await read({
      content: `${show('under', 72, 700)} ${show('beneath', 72, 500)} ${fill(60, 690, 200, 30, '1 1 0')} q 200 0 0 30 60 490 cm /Im Do Q ${show('over', 72, 700 - 100)}`,
      images: { Im: plain },
    })
    expect(word(layer, 'under').hidden).toBe('covered')
    expect(word(layer, 'beneath').hidden).toBe('covered')
    expect(word(layer, 'over').hidden).toBeUndefined()
  })

  it('does not take a transparent watermark for a cover', async () => {
    const layer = await read({
      content: `${show('seen', 72, 500)} q 612 0 0 792 0 0 cm /Im Do Q`,
      images: { Im: { ...plain, alpha: new Uint8Array(4).fill(40) } },
    })
    expect(word(layer, 'seen').hidden).toBeUndefined()
  })
})

describe('drawn things', () => {
  it('finds rules drawn as strokes and as thin rectangles, and joins their pieces', async () => {
    const layer = await read({ content: line(72, 700, 200, 700) + line(200, 700, 300, 700) + fill(72, 600, 300, 0.8) + line(100, 200, 100, 400, 2) })
    expect(layer.rules).toHaveLength(3)
    expect(layer.rules[0]).toMatchObject({ direction: 'horizontal', at: 92, from: 72, to: 300, thickness: 1 })
    expect(layer.rules[1]).toMatchObject({ direction: 'horizontal', from: 72, to: 372 })
    expect(layer.rules[2]).toMatchObject({ direction: 'vertical', at: 100, from: 392, to: 592, thickness: 2 })
  })

  it('gives a stroked rectangle as an outline and its four sides', async () => {
    const layer = await read({ content: '72 600 200 100 re S' })
    expect(layer.fills).toEqual([{ box: [72, 92, 272, 192], stroked: true }])
    expect(layer.rules.map((r) => r.direction)).toEqual(['horizontal', 'horizontal', 'vertical', 'vertical'])
  })

  it('leaves out white lines on white paper', async () => {
    expect((await read({ content: `1 1 1 RG ${line(72, 700, 300, 700)}` })).rules).toEqual([])
  })

  it('gives areas with their colour', async () => {
    expect((await read({ content: fill(72, 600, 100, 50, '0 1 0') })).fills).toEqual([{ box: [72, 142, 172, 192], color: '#00ff00', stroked: false }])
  })

  it('gathers curves to drawings', async () => {
    const curve = (x: number, y: number) => `${x} ${y} m ${x + 10} ${y + 30} ${x + 20} ${y + 30} ${x + 30} ${y} c S\n`
    const layer = await read({ content: curve(100, 500) + curve(125, 505) + curve(400, 100) })
    expect(layer.drawings).toHaveLength(2)
  })

  it('gives pictures with their pixels, also inside forms', async () => {
    const image = stream('/Type /XObject /Subtype /Image /Width 4 /Height 2 /BitsPerComponent 8 /ColorSpace /DeviceGray', 'abcdefgh')
    const form = stream(
      '/Type /XObject /Subtype /Form /BBox [0 0 100 100] /Matrix [2 0 0 2 0 0] /Resources << /XObject << /Im 100 0 R >> >>',
      'q 50 0 0 25 0 0 cm /Im Do Q',
    )
    const layer = await read({ content: 'q 1 0 0 1 200 300 cm /Form Do Q', resources: '/XObject << /Form 101 0 R >>' }, { objects: [image, form] })
    expect(layer.pictures).toHaveLength(1)
    near(layer.pictures[0]?.box ?? [], [200, 442, 300, 492])
    expect(layer.pictures[0]).toMatchObject({ widthPx: 4, heightPx: 2 })
  })
})

describe('links, tags and fields', () => {
  it('gives links with their address or page, and the words under them', async () => {
    const annotations = [
      '<< /Type /Annot /Subtype /Link /Rect [70 695 140 715] /A << /S /URI /URI (https://example.org/a) >> >>',
      '<< /Type /Annot /Subtype /Link /Rect [70 595 140 615] /Dest [1004 0 R /Fit] >>',
    ]
    const layer = await read({ content: show('here', 72, 700) + show('there', 72, 600), entries: '/Annots [100 0 R 101 0 R]' }, { objects: annotations })
    expect(layer.links[0]?.uri).toBe('https://example.org/a')
    expect(word(layer, 'here').link).toBe(0)
    expect(layer.links.length).toBeGreaterThan(0)
  })

  it('gives the structure tree and ties words to it', async () => {
    const objects = [
      '<< /Type /StructTreeRoot /K [101 0 R] /ParentTree << /Nums [0 [102 0 R 103 0 R]] >> /RoleMap << /Title /H1 >> >>',
      '<< /Type /StructElem /S /Document /P 100 0 R /K [102 0 R 103 0 R] >>',
      '<< /Type /StructElem /S /Title /P 101 0 R /Pg 1005 0 R /K 0 >>',
      '<< /Type /StructElem /S /Figure /P 101 0 R /Pg 1005 0 R /K 1 /Alt (A cat) >>',
    ]
    const layer = await read(
      { content: `/Title << /MCID 0 >> BDC ${show('Heading', 72, 700)} EMC /Figure << /MCID 1 >> BDC ${show('x', 72, 600)} EMC`, entries: '/StructParents 0' },
      { objects, catalog: '/StructTreeRoot 100 0 R /MarkInfo << /Marked true >>' },
    )
    expect(layer.tags.map((tag) => [tag.role, tag.parent])).toEqual([
      ['Document', -1],
      ['H1', 0],
      ['Figure', 0],
    ])
    expect(layer.tags[2]?.alt).toBe('A cat')
    expect(word(layer, 'Heading').mcid).toBe(0)
    expect(layer.info.tagged).toBe(true)
  })

  it('gives form fields with their values', async () => {
    const objects = ['<< /Fields [101 0 R] >>', '<< /Type /Annot /Subtype /Widget /FT /Tx /T (city) /V (Oslo) /Rect [72 700 172 720] >>']
    const layer = await read({ content: '', entries: '/Annots [101 0 R]' }, { objects, catalog: '/AcroForm 100 0 R' })
    expect(layer.fields).toEqual([{ box: [72, 72, 172, 92], kind: 'text', name: 'city', value: 'Oslo' }])
  })

  it('gives the label and the checked state of a field, and nothing of one that a reader must not see', async () => {
    const widget = '/Type /Annot /Subtype /Widget /Rect [72 700 172 720]'
    const states = '/AP << /N << /Red 105 0 R /Off 105 0 R >> >>'
    const objects = [
      '<< /Fields [101 0 R 102 0 R 103 0 R 104 0 R] >>',
      `<< ${widget} /FT /Btn /T (c) /TU (Colour) /V /Red /AS /Red ${states} >>`,
      `<< ${widget} /FT /Btn /T (d) /V /Off /AS /Off ${states} >>`,
      `<< ${widget} /FT /Tx /T (hidden) /V (unseen) /F 2 >>`,
      `<< ${widget} /FT /Tx /Ff 8192 /T (password) /V (secret) >>`,
      stream('/Type /XObject /Subtype /Form /BBox [0 0 9 9]', ''),
    ]
    const layer = await read({ content: '', entries: '/Annots [101 0 R 102 0 R 103 0 R 104 0 R]' }, { objects, catalog: '/AcroForm 100 0 R' })
    expect(layer.fields).toMatchObject([
      { kind: 'checkbox', name: 'c', label: 'Colour', value: 'Red' },
      { kind: 'checkbox', name: 'd', value: 'off' },
      { kind: 'text', name: 'password', value: '' },
    ])
  })
})

describe('document', () => {
  it('reads metadata, labels and the outline', async () => {
    const objects = [
      '<< /Type /Outlines /First 101 0 R /Last 101 0 R >>',
      '<< /Title (Chapter) /Parent 100 0 R /Dest [1005 0 R /Fit] /First 102 0 R /Last 102 0 R >>',
      // Its own sibling: a cyclic outline.
      '<< /Title (Section) /Parent 101 0 R /Dest [1005 0 R /Fit] /Next 102 0 R >>',
      '<< /Nums [0 << /S /r /St 4 >>] >>',
    ]
    const layer = await read(
      { content: show('text', 72, 700) },
      { objects, catalog: '/Outlines 100 0 R /PageLabels 103 0 R /Lang (en-GB)', info: { Title: 'A title', CreationDate: "D:20240131120000+01'00'" } },
    )
    expect(layer.info).toMatchObject({
      pageCount: 1,
      mediaType: 'application/pdf',
      metadata: { title: 'A title', created: '2024-01-31T12:00:00+01:00', language: 'en-GB', pdfVersion: '1.7' },
      outline: [
        { title: 'Chapter', level: 1, page: 0 },
        { title: 'Section', level: 2, page: 0 },
      ],
    })
    expect(layer.label).toBe('iv')
  })
})

describe('layers and artifacts', () => {
  it('tells words and pictures of a layer that is switched off', async () => {
    const objects = ['<< /Type /OCG /Name (Off) >>', '<< /Type /OCG /Name (On) >>']
    const layer = await read(
      {
        content: `/OC /Off BDC ${show('gone', 72, 700)} q 200 0 0 100 72 100 cm /Im Do Q EMC /OC /On BDC ${show('there', 72, 600)} EMC ${show('always', 72, 500)}`,
        images: { Im: plain },
        resources: '/Properties << /Off 100 0 R /On 101 0 R >>',
      },
      { objects, catalog: '/OCProperties << /OCGs [100 0 R 101 0 R] /D << /OFF [100 0 R] >> >>' },
    )
    expect(layer.words.map((w) => [w.text, w.hidden])).toEqual([
      ['gone', 'invisible'],
      ['there', undefined],
      ['always', undefined],
    ])
    expect(layer.pictures).toEqual([])
  })

  it('ties what is marked as an artifact to a tag of its own', async () => {
    const objects = [
      '<< /Type /StructTreeRoot /K [101 0 R] /ParentTree << /Nums [0 [101 0 R]] >> >>',
      '<< /Type /StructElem /S /P /P 100 0 R /Pg 1005 0 R /K 0 >>',
    ]
    const layer = await read(
      { content: `/Artifact BMC ${show('running', 72, 760)} EMC /P << /MCID 0 >> BDC ${show('body', 72, 700)} EMC`, entries: '/StructParents 0' },
      { objects, catalog: '/StructTreeRoot 100 0 R /MarkInfo << /Marked true >>' },
    )
    const roleOf = (text: string) => layer.tags.find((tag) => tag.mcids.includes(word(layer, text).mcid ?? -1))?.role
    expect([roleOf('running'), roleOf('body')]).toEqual(['Artifact', 'P'])
  })
})
