import type { Flag } from '../../../schema/block-kind.ts'
import type { DocumentInfo } from '../../../schema/document.ts'
import type { Engine } from './engine.ts'

type OutlineEntry = DocumentInfo['outline'][number]

/** Outlines may be cyclic: each entry is visited once, depth and count are bounded. */
const maxOutline = 10_000
const maxOutlineDepth = 32
const maxTitleBytes = 4096

/** Key of the Info dictionary → our name. */
const metadataKeys = {
  Title: 'title',
  Author: 'author',
  Subject: 'subject',
  Keywords: 'keywords',
  Creator: 'creator',
  Producer: 'producer',
  CreationDate: 'created',
  ModDate: 'modified',
} as const

/** Bits of the permissions entry, PDF 32000-1 table 22. */
const permissionBits = { print: 1 << 2, modify: 1 << 3, copy: 1 << 4, annotate: 1 << 5, fill: 1 << 8, accessibility: 1 << 9, assemble: 1 << 10 } as const

/** What the document says of itself as a whole. */
export function readDocumentInfo(engine: Engine, document: number, pageCount: number): DocumentInfo {
  const { call } = engine
  return {
    pageCount,
    mediaType: 'application/pdf',
    metadata: readMetadata(engine, document),
    outline: readOutline(engine, document, pageCount),
    tagged: call.FPDFCatalog_IsTagged(document) === 1,
    flags: readFlags(engine, document),
  }
}

function readMetadata(engine: Engine, document: number): Record<string, string> {
  const { call, heap, scratch } = engine
  const metadata: Record<string, string> = {}
  for (const [key, name] of Object.entries(metadataKeys)) {
    const value = engine.readText((b, n) => call.FPDF_GetMetaText(document, engine.key(key), b, n), 'utf-16').trim()
    if (value !== '') metadata[name] = name === 'created' || name === 'modified' ? isoDate(value) : value
  }
  const language = engine.readText((b, n) => call.FPDFCatalog_GetLanguage(document, b, n), 'utf-16').trim()
  if (language !== '') metadata.language = language
  if (call.FPDF_GetFileVersion(document, scratch)) metadata.pdfVersion = ((heap.i32[scratch >> 2] ?? 0) / 10).toFixed(1)
  if (call.FPDF_GetSecurityHandlerRevision(document) >= 0) {
    const bits = call.FPDF_GetDocUserPermissions(document) >>> 0
    const allowed = Object.entries(permissionBits).filter(([, bit]) => (bits & bit) !== 0)
    metadata.permissions = allowed.map(([name]) => name).join(' ') || 'none'
  }
  return metadata
}

/** `D:20240131120000+01'00'` (PDF 32000-1, 7.9.4) as ISO 8601; other spellings stay as they are. */
export function isoDate(text: string): string {
  const parts = /^D?:?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-])(\d\d)'?(\d\d)?'?)?/.exec(text)
  if (!parts) return text
  const [, year, month = '01', day = '01', hour, minute = '00', second = '00', utc, sign, offsetHour, offsetMinute = '00'] = parts
  const date = `${year}-${month}-${day}`
  if (hour === undefined) return date
  return `${date}T${hour}:${minute}:${second}${utc ? 'Z' : sign && offsetHour ? `${sign}${offsetHour}:${offsetMinute}` : ''}`
}

function readOutline(engine: Engine, document: number, pageCount: number): OutlineEntry[] {
  const { call } = engine
  const entries: OutlineEntry[] = []
  const seen = new Set<number>()
  const stack: { bookmark: number; level: number }[] = [{ bookmark: call.FPDFBookmark_GetFirstChild(document, 0), level: 1 }]
  for (let open = stack.pop(); open && entries.length < maxOutline; open = stack.pop()) {
    const { bookmark, level } = open
    if (bookmark === 0 || seen.has(bookmark)) continue
    seen.add(bookmark)
    const title = engine
      .readText((b, n) => call.FPDFBookmark_GetTitle(bookmark, b, n), 'utf-16', maxTitleBytes)
      .replace(/\s+/g, ' ')
      .trim()
    const page = bookmarkPage(engine, document, bookmark)
    if (title !== '' && page >= 0 && page < pageCount) entries.push({ title, level, page })
    stack.push({ bookmark: call.FPDFBookmark_GetNextSibling(document, bookmark), level })
    if (level < maxOutlineDepth) stack.push({ bookmark: call.FPDFBookmark_GetFirstChild(document, bookmark), level: level + 1 })
  }
  return entries
}

function bookmarkPage(engine: Engine, document: number, bookmark: number): number {
  const { call } = engine
  let destination = call.FPDFBookmark_GetDest(document, bookmark)
  if (destination === 0) {
    const action = call.FPDFBookmark_GetAction(bookmark)
    if (action !== 0) destination = call.FPDFAction_GetDest(document, action)
  }
  return destination === 0 ? -1 : call.FPDFDest_GetDestPageIndex(document, destination)
}

/** `FORMTYPE_XFA_FULL`: the pages are made by a script, what the file shows is a placeholder. */
const dynamicXfa = 2
/** Rights management wraps the true document as an attachment in a page that asks for another reader. */
const wrappedName = /MicrosoftIRMServices|Protected PDF\.pdf|EncryptedPayload/i

function readFlags(engine: Engine, document: number): Flag[] {
  const { call } = engine
  const flags: Flag[] = []
  if (call.FPDF_GetFormType(document) === dynamicXfa) flags.push('xfa')
  const attachments = Math.min(call.FPDFDoc_GetAttachmentCount(document), 16)
  for (let i = 0; i < attachments; i++) {
    const attachment = call.FPDFDoc_GetAttachment(document, i)
    const name = engine.readText((b, n) => call.FPDFAttachment_GetName(attachment, b, n), 'utf-16')
    if (wrappedName.test(name)) {
      flags.push('protected-wrapper')
      break
    }
  }
  return flags
}
