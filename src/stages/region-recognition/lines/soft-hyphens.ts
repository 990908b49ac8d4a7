import type { PageBlock, TakenHyphen } from '../../../schema/page.ts'

const softHyphens = /\u00ad/g

export const plainText = (text: string): string => (text.includes('\u00ad') ? text.replace(softHyphens, '') : text)

/** Takes the marks of repaired words out of a block's text, and says where they stood: the whole document may know the words better than their page. */
export function withoutSoftHyphens(text: string, markdown: string): Pick<PageBlock, 'text' | 'markdown' | 'hyphens'> {
  if (!text.includes('\u00ad')) return { text, markdown }
  const [inText, inMarkdown] = [placesOf(text), placesOf(markdown)]
  const hyphens = inText.flatMap((at, i): TakenHyphen[] => {
    const markdownAt = inMarkdown[i]
    return markdownAt === undefined ? [] : [{ text: at, markdown: markdownAt }]
  })
  return { text: plainText(text), markdown: plainText(markdown), ...(inText.length === inMarkdown.length ? { hyphens } : {}) }
}

function placesOf(text: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf('\u00ad'); at >= 0; at = text.indexOf('\u00ad', at + 1)) places.push(at - places.length)
  return places
}
