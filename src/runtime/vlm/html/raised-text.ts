const plain = '0123456789+-=()ni'
const raised = [...'⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ']
const lowered = [...'₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₙᵢ']

/** The characters raised or lowered, so that 10² does not become 102; as they are where Unicode has no such form of one of them. */
export function shiftText(text: string, way: 'raised' | 'lowered'): string {
  const forms = way === 'raised' ? raised : lowered
  const shifted = [...text.trim()].map((char) => forms[plain.indexOf(char)])
  return shifted.every((char) => char !== undefined) ? shifted.join('') : text
}
