import type { Ask } from '../../../engine.ts'

/** The body of `POST /v1/chat/completions`, before it is encoded. */
export type ChatBody = Readonly<Record<string, unknown>>

/** What a body is made of. `pictureUrl` stands where the data URI of the picture goes; undefined where the question has none. */
export interface Question {
  readonly ask: Ask
  readonly model: string
  readonly pictureUrl: string | undefined
}

type Part = { readonly type: 'text'; readonly text: string } | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }

/** How the two parts of a question stand in its message. */
export interface Wording {
  /** The picture goes before the words, but for servers that want their own mark of it in front. */
  readonly pictureFirst: boolean
  /** Written directly in front of the words, where the template of the server does not do so. */
  readonly before: string
}

export const plainWording: Wording = { pictureFirst: true, before: '' }

const textPart = (text: string): Part => ({ type: 'text', text })

function partsOf({ ask, pictureUrl }: Question, { pictureFirst, before }: Wording): Part[] {
  if (pictureUrl === undefined) return [textPart(ask.prompt)]
  const picture: Part = { type: 'image_url', image_url: { url: pictureUrl } }
  const text = textPart(before + ask.prompt)
  return pictureFirst ? [picture, text] : [text, picture]
}

/** The fields that every server takes, and takes alike. */
export function commonFields(question: Question, wording: Wording = plainWording): ChatBody {
  const { ask, model } = question
  const system = ask.system === undefined ? [] : [{ role: 'system', content: ask.system }]
  return {
    model,
    messages: [...system, { role: 'user', content: partsOf(question, wording) }],
    stream: true,
    max_tokens: ask.maxTokens,
    temperature: ask.decoding.temperature,
    top_p: ask.decoding.topP,
  }
}

/** Asks for the count of tokens, which comes in a last chunk of its own. */
export const withUsage: ChatBody = { stream_options: { include_usage: true } }

export const penaltyFields = ({ ask: { decoding } }: Question): ChatBody => ({
  presence_penalty: decoding.presencePenalty,
  frequency_penalty: decoding.frequencyPenalty,
})
