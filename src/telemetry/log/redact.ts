/** Longer texts are cut: a line of a log is read by a person. */
const mostCharacters = 2_000
const hidden = '[hidden]'

/** What secrets look like in texts of others (servers, brokers, libraries), and what is left of them. */
const shapes: readonly (readonly [shape: RegExp, left: string])[] = [
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*(-----END [A-Z ]{0,40}-----)?/g, hidden],
  // User and password of an address, up to the last @ before its path.
  [/\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#'"]*@/gi, '$1'],
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${hidden}`],
  [
    /\b((?:[\w-]{0,40}[-_.])?(?:api[-_]?key|access[-_]?key|secret|password|passwd|passphrase|token|signature|sig|credential)s?["']?\s*[=:]\s*["']?)(?!\[hidden)[^\s&"',;)}\]]+/gi,
    `$1${hidden}`,
  ],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, hidden], // JSON Web Token
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, hidden], // key of AWS
  [/\b(?:hf|sk|ghp|glpat)[-_][\w-]{16,}/g, hidden], // tokens of model hubs and servers
]

/** The text without what looks like a secret, on one line and bounded. Our own messages name none; those of servers and libraries may. */
export function redacted(text: string): string {
  let left = text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text
  for (const [shape, put] of shapes) left = left.replace(shape, put)
  return left.replace(/\s*[\r\n]+\s*/g, ' ')
}
