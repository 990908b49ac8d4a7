/** A character of a line and the time step at which it was read. */
export interface ReadCharacter {
  readonly text: string
  readonly step: number
  readonly probability: number
}

/** The characters that a recogniser can write: class 0 is the blank, the last is a space. */
export interface Alphabet {
  readonly classes: readonly string[]
}

/** `lines` of a dictionary as classes. */
export const alphabetOf = (lines: readonly string[]): Alphabet => ({ classes: ['', ...lines, ' '] })

/**
 * Reads the probabilities `[steps, classes]` of one line: the best class of each step, repeats of the step before dropped,
 * blanks dropped. `output` must be a local of the caller: the property of a tensor costs more than the whole loop.
 */
export function decodeCtc(output: Float32Array, steps: number, alphabet: Alphabet): ReadCharacter[] {
  const count = alphabet.classes.length
  const read: ReadCharacter[] = []
  let previous = 0
  for (let step = 0; step < steps; step++) {
    const best = bestClass(output, step * count, count)
    if (best !== 0 && best !== previous) {
      read.push({ text: alphabet.classes[best] as string, step, probability: output[step * count + best] as number })
    }
    previous = best
  }
  return read
}

/** The probabilities of a step sum to 1: one above a half is the largest, and mostly it is the blank, which comes first. */
function bestClass(output: Float32Array, from: number, count: number): number {
  let best = 0
  let highest = output[from] as number
  if (highest > 0.5) return 0
  for (let i = 1; i < count; i++) {
    const value = output[from + i] as number
    if (value <= highest) continue
    highest = value
    best = i
    if (value > 0.5) return best
  }
  return best
}

/** Mean probability of the characters read, 0 for none. */
export function confidenceOf(read: readonly ReadCharacter[]): number {
  if (read.length === 0) return 0
  return read.reduce((sum, character) => sum + character.probability, 0) / read.length
}
