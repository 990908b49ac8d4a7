import { contains, unionAll } from '../../../geometry/box.ts'
import type { Link, PictureArea, Tag, TextLayer, TextLine, Word } from '../../../schema/text-layer.ts'
import { bareTextLayer } from '../../../text-layer/bare-text-layer.ts'
import { clusterDrawings } from './drawings.ts'
import type { Engine } from './engine.ts'
import { InkMap } from './ink-map.ts'
import type { OpenPage } from './open-page.ts'
import { artifactMcid, type DrawnObjects, type PageObjects, readPageObjects } from './page-objects.ts'
import { PdfFailure } from './pdf-failure.ts'
import { PictureOpacity } from './picture-opacity.ts'
import { readFields } from './read-fields.ts'
import { readLinks } from './read-links.ts'
import { readTags } from './read-tags.ts'
import { renderPage } from './render-page.ts'
import { pageFills, pageRules } from './rules.ts'
import { shownObjects } from './shown-objects.ts'
import { composeAccents } from './text/compose-accents.ts'
import { StyleTable } from './text/font-styles.ts'
import { type GlyphLine, glyphLines } from './text/glyph-line.ts'
import { hiddenReason, type PageSurface } from './text/hidden-words.ts'
import { markVertical } from './text/mark-vertical.ts'
import { readGlyphs } from './text/read-glyphs.ts'
import { removeDuplicates } from './text/remove-duplicates.ts'
import { type DraftWord, lineAngle, lineWords } from './text/words.ts'

/** Reads everything that a page says of itself, without rendering it. */
export function readTextLayer(engine: Engine, open: OpenPage): TextLayer {
  const { page, frame } = open
  const objects = readPageObjects(engine, page, frame)
  const styles = new StyleTable()
  const links = readLinks(engine, open.document, page, frame)
  const opacity = new PictureOpacity(engine, open.document, page)
  const text = readText(engine, open, objects, styles)
  const ink = new InkMap(engine, open)
  const shown = shownObjects(objects, ink)
  const surface: PageSurface = {
    width: frame.width,
    height: frame.height,
    paints: shown.paints,
    styles: styles.styles,
    hasInk: (box) => ink.hasInk(box),
    isOpaqueAt: (paint, x, y) => opacity.isOpaqueAt(paint, x, y),
  }
  if (objects.unlisted && text.total === 0 && isWhite(engine, open)) {
    throw new PdfFailure('page-corrupt', `reading page ${open.pageIndex + 1}: what is listed as a page is none`)
  }
  const words: Word[] = []
  const lines: TextLine[] = []
  for (const line of text.lines) {
    const first = words.length
    for (const word of lineWords(line)) words.push(finish(word, links, surface))
    if (words.length > first) lines.push(textLine(line, words, first))
  }
  return {
    width: frame.width,
    height: frame.height,
    rotation: frame.rotation,
    styles: styles.styles,
    words,
    lines,
    rules: pageRules(shown),
    fills: pageFills(shown),
    pictures: pictureAreas(shown),
    drawings: clusterDrawings(shown.shapes, frame.width, frame.height),
    links,
    tags: open.tagged ? pageTags(engine, page, words) : [],
    fields: readFields(engine, open.form, page, frame),
    ...(open.label ? { label: open.label } : {}),
    unmappedChars: text.unmapped,
    totalChars: text.total,
  }
}

/** Size and label alone. A page that the engine lists no objects of is read whole: it may be none. */
export function readSize(engine: Engine, open: OpenPage): TextLayer {
  if (engine.call.FPDFPage_CountObjects(open.page) < 0) return readTextLayer(engine, open)
  const { width, height, rotation } = open.frame
  return bareTextLayer({ width, height, rotation, sizeOnly: true, ...(open.label ? { label: open.label } : {}) })
}

/** Whether nothing at all is drawn: a page that the engine lists no objects of may still show a picture. */
const isWhite = (engine: Engine, open: OpenPage): boolean =>
  renderPage(engine, open, { dpi: 36, angle: 0, channels: 1 }, 250_000).data.every((value) => value === 255)

/** The structure tree, and one tag for all that is marked as an artifact. */
function pageTags(engine: Engine, page: number, words: readonly Word[]): Tag[] {
  const tags = readTags(engine, page)
  if (words.some((word) => word.mcid === artifactMcid)) tags.push({ role: 'Artifact', parent: -1, mcids: [artifactMcid] })
  return tags
}

function readText(engine: Engine, open: OpenPage, objects: PageObjects, styles: StyleTable): { lines: GlyphLine[]; unmapped: number; total: number } {
  const { call } = engine
  if (objects.texts.size === 0 && !objects.unlisted) return { lines: [], unmapped: 0, total: 0 }
  const textPage = call.FPDFText_LoadPage(open.page)
  if (textPage === 0) return { lines: [], unmapped: 0, total: 0 }
  try {
    const glyphs = composeAccents(removeDuplicates(readGlyphs(engine, textPage, open.frame, objects.texts, styles)))
    markVertical(glyphs)
    let unmapped = 0
    for (const glyph of glyphs) if (glyph.unmapped) unmapped++
    return { lines: glyphLines(glyphs), unmapped, total: glyphs.length }
  } finally {
    call.FPDFText_ClosePage(textPage)
  }
}

function finish(draft: DraftWord, links: readonly Link[], surface: PageSurface): Word {
  const { word } = draft
  const hidden = hiddenReason(draft, surface)
  const x = (word.box[0] + word.box[2]) / 2
  const y = (word.box[1] + word.box[3]) / 2
  const link = links.findIndex((l) => contains(l.box, x, y))
  if (!hidden && link < 0) return word
  return { ...word, ...(hidden ? { hidden } : {}), ...(link >= 0 ? { link } : {}) }
}

function textLine(line: GlyphLine, words: readonly Word[], first: number): TextLine {
  const box = unionAll(words.slice(first).map((word) => word.box))
  const baseline = Math.round(line.across * 100) / 100
  return {
    first,
    count: words.length - first,
    box,
    baseline,
    angle: line.vertical ? 0 : lineAngle(line),
    ...(line.vertical ? { vertical: true as const } : {}),
  }
}

const pictureAreas = (objects: DrawnObjects): PictureArea[] => objects.pictures.filter(({ box }) => box[2] - box[0] >= 1 && box[3] - box[1] >= 1)
