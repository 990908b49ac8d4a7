import { matchBraces } from './match-braces.ts'
import { matchDelimiters } from './match-delimiters.ts'
import { matchEnvironments } from './match-environments.ts'

/** A formula whose environments, delimiters and braces have their partners, as LaTeX wants them; one that has is left as it is. */
export const mendLatex = (latex: string): string => matchBraces(matchDelimiters(matchEnvironments(latex)))
