/** What is taken from the scores of tokens that were written. Neutral: 1, 0, 0. */
export interface Penalties {
  readonly repetitionPenalty: number
  readonly presencePenalty: number
  readonly frequencyPenalty: number
}

/** llama.cpp looks back so far, whatever was asked for; servers of the other kind count the whole answer. */
export const penaltyTokens = 64

export const isNeutral = (penalties: Penalties): boolean =>
  penalties.repetitionPenalty === 1 && penalties.presencePenalty === 0 && penalties.frequencyPenalty === 0

/**
 * Lowers the scores of the last `penaltyTokens` written tokens in place, in llama.cpp's order: a positive score is divided by the repetition
 * penalty and any other one multiplied, then frequency times its count and presence once are subtracted. Tokens of the prompt do not count.
 */
export function penalise(scores: Float32Array, written: readonly number[], penalties: Penalties): void {
  if (isNeutral(penalties)) return
  const counts = new Map<number, number>()
  for (const token of written.slice(-penaltyTokens)) counts.set(token, (counts.get(token) ?? 0) + 1)
  for (const [token, count] of counts) {
    const score = scores[token]
    if (score === undefined) continue
    const repeated = score > 0 ? score / penalties.repetitionPenalty : score * penalties.repetitionPenalty
    scores[token] = repeated - count * penalties.frequencyPenalty - penalties.presencePenalty
  }
}
