/** Longer addresses are left out: they carry data rather than point somewhere. */
const maxLength = 2048

/**
 * The address as it may stand in the output, or undefined: only the web and mail, never scripts, files or
 * whatever else a reader's software may run.
 */
export function safeLink(uri: string | undefined): string | undefined {
  if (uri === undefined) return undefined
  const bare = uri.replace(/[\u0000-\u0020\u007f-\u00a0\u200b-\u200f\u2028-\u202f\u2060-\u2069\ufeff]+/gu, (blank) => (/^ +$/.test(blank) ? blank : '')).trim()
  if (bare.length > maxLength) return undefined
  if (/^(?:https?:\/\/[^\s/?#]|mailto:[^\s])/iu.test(bare)) return bare
  return /^www\.[^\s.]+\.[^\s]/iu.test(bare) ? `http://${bare}` : undefined
}
