/** Names, keys and texts of others may hold anything: what would command the terminal or turn the line round is shown by its code. */
export const shown = (line: string): string =>
  line.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)

/** How a text begins, on one line. */
export const excerpt = (text: string): string => shown(text.slice(0, 100).replace(/\s+/g, ' '))

export const shortId = (documentId: string): string => (documentId.length > 24 ? documentId.slice(0, 12) : documentId)
