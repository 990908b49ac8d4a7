/**
 * Characters of one token by script, about as the vocabularies of current embedding models cut them: on the high
 * side, so that a chunk that fits by the estimate fits the model. White space costs nothing, so that the estimate
 * of joined pieces is the sum of theirs.
 */
const charsPerToken = { latin: 7, accented: 4, digits: 3, cyrillic: 3, rightToLeft: 2.5, indic: 1.5 } as const

type RunKind = keyof typeof charsPerToken

/** Estimated tokens of a text. Not a tokenizer: linear time, no vocabulary, within about a fifth for running text. */
export function estimateTokens(text: string): number {
  let tokens = 0
  let run: RunKind | undefined
  let length = 0
  const end = () => {
    if (run) tokens += Math.ceil(length / charsPerToken[run])
    run = undefined
    length = 0
  }
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const kind = runKind(code)
    if (kind !== undefined) {
      if (run !== undefined && kind !== run && !(run === 'latin' && kind === 'accented') && !(run === 'accented' && kind === 'latin')) end()
      run = run === 'accented' ? 'accented' : kind
      length++
      continue
    }
    end()
    if (isWhite(code) || isJoiner(code)) continue
    // Astral characters come as two units and cost about two tokens; a run of one sign, as in "……" or "-----", costs a quarter each.
    const repeated = i > 0 && text.charCodeAt(i - 1) === code && code < 0x2e80
    tokens += repeated ? 0.25 : 1
  }
  end()
  return Math.ceil(tokens)
}

function runKind(code: number): RunKind | undefined {
  if (code < 0x80) {
    if ((code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)) return 'latin'
    return code >= 0x30 && code <= 0x39 ? 'digits' : undefined
  }
  if ((code >= 0xc0 && code <= 0x24f) || (code >= 0x1e00 && code <= 0x1eff)) return 'accented'
  if (code >= 0x370 && code <= 0x52f) return 'cyrillic'
  if (code >= 0x590 && code <= 0x8ff) return 'rightToLeft'
  if (code >= 0x900 && code <= 0xfff) return 'indic'
  return undefined
}

const isWhite = (code: number): boolean =>
  code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0 || code === 0x3000 || code === 0x2028 || code === 0x2029
/** Zero-width signs, soft hyphens and variation selectors. */
const isJoiner = (code: number): boolean => code === 0xad || (code >= 0x200b && code <= 0x200f) || code === 0xfeff || (code >= 0xfe00 && code <= 0xfe0f)
