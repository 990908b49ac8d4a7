import type { Decoding } from '../../engine.ts'
import { penalise } from './penalties.ts'
import { bannedTokens } from './repeat-guard.ts'

/** Tokens less likely than this against the best one are never drawn: e to the power of -20. */
const negligible = 20

/**
 * The next token of an answer, undefined where no score is a number. `scores`: one for each token of the vocabulary; they are changed.
 * Temperature 0 takes the highest, the first of equals. Else temperature comes first, then the `topK` best (0 or less: all), then the fewest that
 * together have `topP`, of which one is drawn.
 */
export function chooseToken(scores: Float32Array, written: readonly number[], decoding: Decoding, random: () => number = Math.random): number | undefined {
  penalise(scores, written, decoding)
  if (decoding.noRepeat) for (const token of bannedTokens(written, decoding.noRepeat)) scores[token] = Number.NEGATIVE_INFINITY
  const best = highest(scores)
  if (best === Number.NEGATIVE_INFINITY) return undefined
  return decoding.temperature > 0 ? draw(scores, best, decoding, random) : scores.indexOf(best)
}

/** The highest score; -Infinity where all are banned or no numbers. Four lanes, for the vocabulary is long and this runs for each token. */
function highest(scores: Float32Array): number {
  let [a, b, c, d] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const whole = scores.length - (scores.length % 4)
  for (let i = 0; i < whole; i += 4) {
    const [w, x, y, z] = [scores[i] as number, scores[i + 1] as number, scores[i + 2] as number, scores[i + 3] as number]
    if (w > a) a = w
    if (x > b) b = x
    if (y > c) c = y
    if (z > d) d = z
  }
  for (let i = whole; i < scores.length; i++) if ((scores[i] as number) > a) a = scores[i] as number
  return Math.max(a, b, c, d)
}

function draw(scores: Float32Array, best: number, { temperature, topK, topP }: Decoding, random: () => number): number {
  const least = best - negligible * temperature
  const likely: { token: number; weight: number }[] = []
  for (let token = 0; token < scores.length; token++) {
    const score = scores[token] as number
    if (score >= least) likely.push({ token, weight: Math.exp((score - best) / temperature) })
  }
  likely.sort((x, y) => y.weight - x.weight)
  const kept = nucleus(topK > 0 ? likely.slice(0, topK) : likely, topP)
  let left = random() * sumOf(kept)
  for (const { token, weight } of kept) {
    left -= weight
    if (left < 0) return token
  }
  return kept[kept.length - 1]?.token ?? scores.indexOf(best)
}

function nucleus(likely: { token: number; weight: number }[], topP: number): { token: number; weight: number }[] {
  const enough = topP * sumOf(likely)
  let sum = 0
  const end = likely.findIndex(({ weight }) => {
    sum += weight
    return sum >= enough
  })
  return end < 0 ? likely : likely.slice(0, end + 1)
}

const sumOf = (weighed: readonly { weight: number }[]): number => weighed.reduce((sum, { weight }) => sum + weight, 0)
