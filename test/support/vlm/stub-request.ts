import type { StubPicture, StubRequest } from './stub-options.ts'

const dataUri = /^data:([a-z/]+);base64,/
const pngHead = 8

/** Width and height stand in the first chunk of a PNG, behind its head and the chunk's own. */
function sizeOfPng(start: Buffer): { width: number; height: number } {
  const isPng = start.length >= 24 && start.toString('latin1', 1, 4) === 'PNG'
  return isPng ? { width: start.readUInt32BE(pngHead + 8), height: start.readUInt32BE(pngHead + 12) } : { width: 0, height: 0 }
}

function pictureOf(url: string): StubPicture | undefined {
  const match = dataUri.exec(url)
  if (match?.[1] === undefined) return undefined
  const from = match[0].length
  return {
    mediaType: match[1],
    ...sizeOfPng(Buffer.from(url.slice(from, from + 64), 'base64')),
    bytes: () => Buffer.from(url.slice(from), 'base64'),
  }
}

interface Message {
  readonly role: string
  readonly content: string | readonly { readonly type: string; readonly text?: string; readonly image_url?: { readonly url: string } }[]
}

/** Reads the body of a question; undefined for one that breaks the protocol. */
export function readStubRequest(json: string, index: number, authorization: string | undefined): StubRequest | undefined {
  let body: Record<string, unknown>
  try {
    body = JSON.parse(json) as Record<string, unknown>
  } catch {
    return undefined
  }
  if (!Array.isArray(body.messages)) return undefined
  const messages = body.messages as readonly Message[]
  const user = messages.find(({ role }) => role === 'user')?.content ?? []
  const system = messages.find(({ role }) => role === 'system')?.content
  const parts = typeof user === 'string' ? [{ type: 'text', text: user }] : user
  const pictures = parts.flatMap((part) => ('image_url' in part && part.image_url ? [pictureOf(part.image_url.url)] : []))
  if (pictures.some((picture) => picture === undefined)) return undefined
  return {
    index,
    system: typeof system === 'string' ? system : undefined,
    prompt: parts.map(({ text = '' }) => text).join(''),
    pictures: pictures.filter((picture) => picture !== undefined),
    maxTokens: typeof body.max_tokens === 'number' ? body.max_tokens : undefined,
    body,
    authorization,
  }
}
