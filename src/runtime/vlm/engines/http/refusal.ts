import { type FailureCode, PagestreamError } from '../../../../schema/failure.ts'
import { jsonOf, serverErrorOf } from './chat-chunk.ts'

/** What a server said instead of an answer. */
export interface Refusal {
  readonly status: number
  readonly contentType: string
  /** The beginning of its body. */
  readonly body: string
  /** Where it was asked, for messages: the address without a password. */
  readonly address: string
}

const mostQuoted = 200
/** Of a server's own words; behind them it may repeat what it was asked, which is the document's. */
const mostOwnWords = 500
/** Where servers begin to repeat the request. */
const repeated = /(?:data:|'input'|"input"|input_value).*/s

/** What a message says itself. */
const ownWords = (message: string): string => message.replace(repeated, '…').slice(0, mostOwnWords)

/** What may be repeated of a server's message: its beginning, without line breaks, and nothing of the request that it repeats itself. */
function quoted(message: string): string {
  const clean = message
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .replace(repeated, '…')
    .trim()
  const short = clean.length > mostQuoted ? `${clean.slice(0, mostQuoted)}…` : clean
  return short === '' ? '' : `: "${short}"`
}

interface Verdict {
  readonly code: FailureCode
  readonly words: string
}

const verdict = (code: FailureCode, words: string): Verdict => ({ code, words })

const ofWrongKey = verdict('engine-refused', 'the server wants a key, or another one. Put it into a file and name that in vlm.engine.apiKeyFile')
const ofWrongAddress = verdict(
  'engine-refused',
  'there is no such API at this address. Set vlm.engine.urls to the address of the server itself, without /chat/completions',
)
const ofWrongModel = verdict('engine-refused', 'the server has no such model. Set vlm.engine.model to one that it serves, or leave it empty')
const ofWrongServer = verdict('engine-refused', 'the server does not offer this. Check vlm.engine.kind and how the server was started')

const memoryPattern = /out of memory|\boom\b|cannot allocate|alloc(?:ate|ation)? failed/i
const modelPattern = /\bmodel\b.{0,200}\b(?:does not exist|not found|not available|no such)/is
const projectorPattern = /image input is not supported|not a multimodal model|does not support (?:image|vision|multimodal)/i

/** What a message says that its status does not. */
function verdictOfMessage(message: string): Verdict | undefined {
  if (projectorPattern.test(message)) return verdict('engine-refused', 'the model of the server takes no pictures. Start it with its projector (mmproj)')
  if (memoryPattern.test(message)) return verdict('engine-memory', 'the server has run out of memory')
  return undefined
}

const ofStatus: Readonly<Record<number, Verdict>> = {
  401: ofWrongKey,
  403: ofWrongKey,
  405: ofWrongAddress,
  408: verdict('engine-timeout', 'the server has given up waiting'),
  410: ofWrongAddress,
  429: verdict('engine-busy', 'the server has too much to do'),
  501: ofWrongServer,
  502: verdict('engine-unreachable', 'the gateway in front of the server does not reach it'),
  503: verdict('engine-busy', 'the server is loading or has too much to do'),
  504: verdict('engine-timeout', 'the gateway in front of the server has given up waiting'),
}

function verdictOf(status: number, said: string, isOfServer: boolean): Verdict {
  const known = ofStatus[status]
  if (known !== undefined) return known
  const message = ownWords(said)
  const verdictOfWords = verdictOfMessage(message)
  if (verdictOfWords !== undefined) return verdictOfWords
  if (status === 404) return isOfServer && /model/i.test(message) ? ofWrongModel : ofWrongAddress
  if (status >= 500) return verdict('engine-failed', 'the server has broken down over a question')
  if (status >= 400) return modelPattern.test(message) ? ofWrongModel : verdict('picture-refused', 'the server takes no such picture or prompt')
  if (status >= 300) return verdict('engine-refused', 'the address leads to another one. Set vlm.engine.urls to where it leads')
  return verdict('answer-invalid', 'the server does not answer as its protocol says')
}

/** The failure that an answer stands for which is none. `action`: what was being done. */
export function refusalOf(action: string, { status, contentType, body, address }: Refusal): PagestreamError {
  const error = serverErrorOf(jsonOf(body))
  const looksLikeHtml = contentType.includes('html') || /^\s*<(?:!doctype|html)/i.test(body)
  if (looksLikeHtml && (status < 400 || status === 404)) {
    return new PagestreamError('engine-refused', `${action}: ${address} is a web page. Set vlm.engine.urls to the address of the server's API`)
  }
  const { code, words } = verdictOf(status >= 400 ? status : (error?.status ?? (error === undefined ? status : 500)), error?.message ?? '', error !== undefined)
  return new PagestreamError(code, `${action}: ${address} answers ${status}, ${words}${quoted(error?.message ?? '')}`)
}
