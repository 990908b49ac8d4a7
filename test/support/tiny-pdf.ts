/** Writes small PDF files by hand, so that a test says in PDF operators what stands on a page. Points, origin bottom-left. */

export interface TinyImage {
  readonly width: number
  readonly height: number
  /** RGB rows. */
  readonly rgb: Uint8Array
  /** A soft mask of the same size, 0 transparent. */
  readonly alpha?: Uint8Array
}

export interface TinyPage {
  /** 612 x 792 unless given. */
  readonly mediaBox?: readonly [number, number, number, number]
  readonly cropBox?: readonly [number, number, number, number]
  readonly rotate?: 0 | 90 | 180 | 270
  readonly userUnit?: number
  /** Content stream; fonts are /F1 Helvetica, /F2 Helvetica-Bold, /F3 Courier, /F4 Times-Italic. */
  readonly content: string
  /** Image XObjects by name: drawn by `w 0 0 h x y cm /Name Do`. */
  readonly images?: Readonly<Record<string, TinyImage>>
  /** Further entries of the page dictionary, such as `/Annots [100 0 R]`. */
  readonly entries?: string
  /** Further entries of the resource dictionary, such as `/XObject << /X 100 0 R >>` (not together with `images`). */
  readonly resources?: string
}

export interface TinyOptions {
  /** Further objects, numbered from 100 on. */
  readonly objects?: readonly string[]
  /** Further entries of the catalog. */
  readonly catalog?: string
  /** Entries of the information dictionary, as PDF strings. */
  readonly info?: Readonly<Record<string, string>>
}

/** A text in one operator. */
export const show = (text: string, x: number, y: number, size = 12, font = 'F1'): string =>
  `BT /${font} ${size} Tf ${x} ${y} Td (${text.replace(/[\\()]/g, '\\$&')}) Tj ET\n`

/** A stroked line. */
export const line = (x0: number, y0: number, x1: number, y1: number, width = 1): string => `${width} w ${x0} ${y0} m ${x1} ${y1} l S\n`

/** A filled rectangle, `color` as `r g b` 0..1. */
export const fill = (x: number, y: number, width: number, height: number, color = '0 0 0'): string => `q ${color} rg ${x} ${y} ${width} ${height} re f Q\n`

/** A stream object with its length. */
export const stream = (dictionary: string, data: string): string =>
  `<< ${dictionary} /Length ${Buffer.byteLength(data, 'latin1')} >>\nstream\n${data}\nendstream`

const fonts = ['Helvetica', 'Helvetica-Bold', 'Courier', 'Times-Italic']

/** The file, with a cross-reference table that holds. */
export function tinyPdf(pages: readonly TinyPage[], options: TinyOptions = {}): Buffer {
  const objects = new Map<number, string>()
  let next = 1000
  const add = (body: string): number => {
    objects.set(next, body)
    return next++
  }
  const fontEntries = fonts
    .map((name, i) => `/F${i + 1} ${add(`<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`)} 0 R`)
    .join(' ')
  const kids = pages.map((page) => add(pageBody(page, fontEntries, add)))
  objects.set(1, `<< /Type /Catalog /Pages 2 0 R ${options.catalog ?? ''} >>`)
  objects.set(2, `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`)
  for (const [i, body] of options.objects?.entries() ?? []) objects.set(100 + i, body)
  const info = options.info
    ? `/Info ${add(
        `<< ${Object.entries(options.info)
          .map(([key, value]) => `/${key} (${value})`)
          .join(' ')} >>`,
      )} 0 R`
    : ''
  return assemble(objects, info)
}

function pageBody(page: TinyPage, fontEntries: string, add: (body: string) => number): string {
  const contents = add(stream('', page.content))
  const box = (name: string, value: readonly number[] | undefined) => (value ? `/${name} [${value.join(' ')}]` : '')
  const images = Object.entries(page.images ?? {}).map(([name, image]) => `/${name} ${addImage(image, add)} 0 R`)
  const xobjects = images.length > 0 ? `/XObject << ${images.join(' ')} >>` : ''
  return [
    '<< /Type /Page /Parent 2 0 R',
    box('MediaBox', page.mediaBox ?? [0, 0, 612, 792]),
    box('CropBox', page.cropBox),
    page.rotate ? `/Rotate ${page.rotate}` : '',
    page.userUnit ? `/UserUnit ${page.userUnit}` : '',
    `/Resources << /Font << ${fontEntries} >> ${xobjects} ${page.resources ?? ''} >>`,
    `/Contents ${contents} 0 R ${page.entries ?? ''} >>`,
  ].join(' ')
}

function addImage({ width, height, rgb, alpha }: TinyImage, add: (body: string) => number): number {
  const head = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8`
  const data = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')
  const mask = alpha ? `/SMask ${add(stream(`${head} /ColorSpace /DeviceGray`, data(alpha)))} 0 R` : ''
  return add(stream(`${head} /ColorSpace /DeviceRGB ${mask}`, data(rgb)))
}

function assemble(objects: ReadonlyMap<number, string>, info: string): Buffer {
  let file = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'
  const offsets = new Map<number, number>()
  for (const [number, body] of objects) {
    offsets.set(number, file.length)
    file += `${number} 0 obj\n${body}\nendobj\n`
  }
  const start = file.length
  file += 'xref\n0 1\n0000000000 65535 f \n'
  for (const [number, offset] of offsets) file += `${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`
  file += `trailer\n<< /Size ${Math.max(...offsets.keys()) + 1} /Root 1 0 R ${info} >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}
