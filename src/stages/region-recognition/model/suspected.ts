import type { BlockContent } from '../../../schema/vlm-block.ts'

/** Longer answers are no excuses. Characters. */
const longestExcuse = 400
/** How models that are asked for text answer when they will not read, or talk instead. */
const excuse =
  /^(?:(?:i['\u2019]?m|i am) (?:very |so )?sorry|sorry,|i apologi[sz]e|i (?:cannot|can['\u2019]?t|can not) |i['\u2019]?m (?:unable|not able)|i am (?:unable|not able)|as an ai\b|\u62b1\u6b49|\u5bf9\u4e0d\u8d77)/i
const ofAssistant = /\b(?:assist|help|comply|fulfil|request|transcribe|process|provide|image|picture|read)\b|\u65e0\u6cd5|\u4e0d\u80fd/i

/** The content with the flag `low-confidence` where it is likely that the model did not read: bytes that were no text, or words of an assistant. */
export function suspected(content: BlockContent): BlockContent {
  if (content.flags.includes('low-confidence') || !(content.text.includes('\ufffd') || isExcuse(content.raw.trim()))) return content
  return { ...content, flags: [...content.flags, 'low-confidence'] }
}

const isExcuse = (words: string): boolean => words.length <= longestExcuse && excuse.test(words) && ofAssistant.test(words)
