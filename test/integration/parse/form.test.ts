import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from '../../../src/parse/parse.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { show, stream, tinyPdf } from '../../support/tiny-pdf.ts'

const widget = '/Type /Annot /Subtype /Widget'
const states = (on: string) => `/AP << /N << /${on} 120 0 R /Off 120 0 R >> >>`

/** A form as a program fills it in: the values are in the fields and in their appearances, not in the page's content. */
const objects: string[] = [
  '<< /Fields [101 0 R 102 0 R 103 0 R 104 0 R 105 0 R 106 0 R 109 0 R 110 0 R] /DA (/Helv 10 Tf 0 g) >>',
  `<< ${widget} /FT /Tx /T (f1) /V (Ada *Lovelace*) /Rect [150 655 350 675] /AP << /N 121 0 R >> >>`,
  `<< ${widget} /FT /Ch /Ff 131072 /T (country) /Opt [(Norway) (Chile)] /V (Chile) /Rect [150 615 350 635] >>`,
  `<< ${widget} /FT /Btn /T (member) /V /Yes /AS /Yes /Rect [150 580 162 592] ${states('Yes')} >>`,
  `<< ${widget} /FT /Btn /T (retired) /V /Off /AS /Off /Rect [150 560 162 572] ${states('Yes')} >>`,
  `<< ${widget} /FT /Tx /T (secret) /V (unseen) /F 2 /Rect [150 520 350 540] >>`,
  '<< /FT /Btn /Ff 49152 /T (plan) /V /Large /Kids [107 0 R 108 0 R] >>',
  `<< ${widget} /Parent 106 0 R /AS /Off /Rect [150 500 162 512] ${states('Small')} >>`,
  `<< ${widget} /Parent 106 0 R /AS /Large /Rect [190 500 202 512] ${states('Large')} >>`,
  `<< ${widget} /FT /Tx /T (f2) /TU (Place of birth) /V (London) /Rect [150 460 350 480] >>`,
  `<< ${widget} /FT /Tx /Ff 8192 /T (code word) /V (hunter2) /Rect [150 420 350 440] >>`,
]
objects[20] = stream('/Type /XObject /Subtype /Form /BBox [0 0 12 12]', '0 0 12 12 re S')
objects[21] = stream('/Type /XObject /Subtype /Form /BBox [0 0 200 20]', '')
const annotations = [101, 102, 103, 104, 105, 107, 108, 109, 110].map((number) => `${number} 0 R`).join(' ')
const content = show('Application for membership', 72, 720, 18) + show('Full name:', 72, 660) + show('Country:', 72, 620)

describe('text typed onto a page', () => {
  it('is a block at its place, a field where a printed label names it, and left out where it is hidden', async () => {
    const folder = await tempFolder()
    const path = join(folder, 'notes.pdf')
    const note = '/Type /Annot /Subtype /FreeText /DA (/Helv 10 Tf 0 g)'
    const notes = [
      `<< ${note} /Contents (Ada Lovelace) /Rect [150 655 350 675] >>`,
      `<< ${note} /Contents (Received with thanks\\rand filed) /Rect [300 500 500 540] >>`,
      `<< ${note} /Contents (unseen) /F 2 /Rect [150 400 350 420] >>`,
    ]
    const page = { content: show('Application', 72, 720, 18) + show('Full name:', 72, 660), entries: '/Annots [100 0 R 101 0 R 102 0 R]' }
    await writeFile(path, tinyPdf([page], { objects: notes }))
    for await (const event of parse(path, { out: await tempFolder() })) {
      if (event.type !== 'document') continue
      const { blocks } = await event.document()
      expect(blocks.map(({ kind, text }) => [kind, text])).toEqual([
        ['heading', 'Application'],
        ['text', 'Full name:'],
        ['form_field', 'Full name: Ada Lovelace'],
        ['text', 'Received with thanks\nand filed'],
      ])
    }
  })
})

describe('a filled form', () => {
  it('has its values in the document, the Markdown, the chunks and the MinerU files', async () => {
    const folder = await tempFolder()
    const path = join(folder, 'form.pdf')
    await writeFile(
      path,
      tinyPdf([{ content, entries: `/Annots [${annotations}]` }], {
        objects: Array.from(objects, (body) => body ?? 'null'),
        catalog: '/AcroForm 100 0 R',
      }),
    )
    const out = await tempFolder()
    for await (const event of parse(path, { out, config: { formats: ['md', 'json', 'chunks', 'mineru'] } })) {
      if (event.type !== 'document') continue
      const { blocks } = await event.document()
      expect(blocks.filter((block) => block.kind === 'form_field').map((block) => block.text)).toEqual([
        'Full name: Ada *Lovelace*',
        'Country: Chile',
        'member: Yes',
        'plan: Large',
        'Place of birth: London',
      ])
      expect(blocks.map((block) => block.text).join(' ')).not.toMatch(/unseen|hunter2|retired/)
      expect(await event.markdown()).toContain('Full name: Ada \\*Lovelace\\*')
      expect((await event.chunks()).map((chunk) => chunk.text).join('\n')).toContain('Country: Chile')
      const list = await readFile(join(event.folder, 'content_list.json'), 'utf8')
      expect(list).toContain('Place of birth: London')
    }
  })
})
