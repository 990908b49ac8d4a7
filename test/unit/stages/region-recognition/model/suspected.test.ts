import { expect, it } from 'vitest'
import { suspected } from '../../../../../src/stages/region-recognition/model/suspected.ts'

const flagsOf = (text: string) => suspected({ kind: 'text', text, raw: text, flags: [] }).flags

it.each([
  "I'm sorry, but I can't assist with that request.",
  'I cannot read the text in this image.',
  'As an AI, I am unable to help.',
  'bytes \ufffd that were none',
])('doubts "%s"', (text) => expect(flagsOf(text)).toEqual(['low-confidence']))

it.each(['Sorry, no refunds.', `I am sorry that I cannot help you. ${'A letter goes on. '.repeat(40)}`, 'The harbour was closed.'])('believes "%s"', (text) =>
  expect(flagsOf(text)).toEqual([]),
)
