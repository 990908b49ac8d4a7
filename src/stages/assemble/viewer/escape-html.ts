/** Characters that end text or an attribute in HTML. */
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/**
 * Text as HTML, for element content and quoted attributes. Control characters that HTML forbids become
 * U+FFFD; directional controls stay, callers isolate the text (`bdi`).
 */
export const escapeHtml = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b\u000e-\u001f\u007f]/g, '\ufffd').replace(/[&<>"']/g, (char) => entities[char] ?? char)
