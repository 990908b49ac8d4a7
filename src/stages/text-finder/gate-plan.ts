import type { PageRef } from '../../schema/page.ts'
import type { TextLayer } from '../../schema/text-layer.ts'
import { type FontEvidence, fontEvidence } from './font-evidence.ts'
import type { GateReason } from './gate-reasons.ts'
import { type PageContent, pageContent } from './page-content.ts'

/** What must be done to decide about a page, found without a picture of it. */
export type GatePlan =
  | { readonly step: 'settled'; readonly kind: 'blank' | 'text-layer'; readonly reasons: readonly GateReason[]; readonly showHidden?: true }
  /** Find and read everything from the picture; `content.underPictures` may offer a text layer to check. */
  | { readonly step: 'read-page'; readonly reasons: readonly GateReason[]; readonly content: PageContent; readonly checkHidden: boolean }
  /** Keep good words; look at pictures, at bad fonts' words, compare doubtful fonts with the picture. */
  | {
      readonly step: 'look'
      readonly reasons: readonly GateReason[]
      readonly content: PageContent
      readonly bad: readonly FontEvidence[]
      readonly doubtful: readonly FontEvidence[]
    }

/** From this share on the pictures are the page. */
const pageIsPicture = 0.6
/** A scan may carry a stamp or a running head as visible words; more are a page of their own. */
const fewCharacters = 120
/** Drawings that may be letters drawn as outlines. */
const minDrawingShare = 0.002
/** A page whose characters are mostly wrong is read as a whole. */
const mostlyWrong = 0.5

/**
 * Decides what to do with a page. Costs about a millisecond and never touches a model or a picture.
 * `picturePages`: in longer documents pictures beside good words are left unread, which bounds what a manual
 * full of screenshots costs.
 */
export function planGate(page: PageRef, layer: TextLayer, picturePages: number): GatePlan {
  const content = pageContent(layer)
  if (page.ocr === 'never') return neverRead(content)
  if (page.ocr === 'always') return { step: 'read-page', reasons: ['ocr-always'], content, checkHidden: false }
  if (page.source.mediaType.startsWith('image/')) return { step: 'read-page', reasons: ['picture-document'], content, checkHidden: false }
  if (content.pictureShare >= pageIsPicture && content.visibleCharacters < fewCharacters) {
    return { step: 'read-page', reasons: ['page-is-picture'], content, checkHidden: content.underPictures.length > 0 }
  }
  const fonts = fontEvidence(layer, content.visible)
  const bad = fonts.filter((font) => font.judgement === 'wrong')
  const doubtful = fonts.filter((font) => font.judgement === 'doubtful')
  const badCharacters = bad.reduce((sum, font) => sum + font.characters, 0)
  if (bad.length > 0 && badCharacters >= mostlyWrong * content.visibleCharacters) {
    return { step: 'read-page', reasons: unique(bad), content, checkHidden: false }
  }
  if (content.visible.length === 0) return withoutWords(layer, content)
  const unread: GateReason[] = page.pageCount > picturePages && content.lookAt.length > 0 ? ['picture-not-read'] : []
  const lookAt = unread.length > 0 ? [] : content.lookAt
  if (bad.length === 0 && doubtful.length === 0 && lookAt.length === 0) {
    return { step: 'settled', kind: 'text-layer', reasons: unread.length > 0 ? unread : ['layer-clean'] }
  }
  return { step: 'look', reasons: [...unread, ...unique([...bad, ...doubtful])], content: { ...content, lookAt }, bad, doubtful }
}

function withoutWords(layer: TextLayer, content: PageContent): GatePlan {
  const drawn = layer.drawings.length > 0 && content.drawingShare >= minDrawingShare
  const unreadable = layer.totalChars > 0 && layer.unmappedChars > 0
  if (content.lookAt.length === 0 && !drawn && !unreadable) return { step: 'settled', kind: 'blank', reasons: ['nothing-drawn'] }
  const reason: GateReason = unreadable ? 'unmapped-characters' : content.lookAt.length > 0 ? 'page-is-picture' : 'drawn-without-words'
  return { step: 'read-page', reasons: [reason], content, checkHidden: content.underPictures.length > 0 }
}

/** Without a model the words are taken as they are, those under a scan too. */
function neverRead(content: PageContent): GatePlan {
  if (content.visibleCharacters >= fewCharacters || content.pictureShare < pageIsPicture || content.underPictures.length === 0) {
    return { step: 'settled', kind: content.visible.length > 0 ? 'text-layer' : 'blank', reasons: ['ocr-never'] }
  }
  return { step: 'settled', kind: 'text-layer', reasons: ['ocr-never'], showHidden: true }
}

const unique = (fonts: readonly FontEvidence[]): GateReason[] => [...new Set(fonts.flatMap((font) => font.reasons))]
