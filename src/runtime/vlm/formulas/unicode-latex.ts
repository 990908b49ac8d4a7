const greek =
  'α alpha β beta γ gamma δ delta ε varepsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu ν nu ξ xi π pi ρ rho σ sigma ς varsigma τ tau υ upsilon φ varphi χ chi ψ psi ω omega ' +
  'Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega ϕ phi ϵ epsilon ϑ vartheta ϱ varrho'
const signs =
  '× times ÷ div ± pm ∓ mp · cdot ∘ circ ∗ ast ⊕ oplus ⊗ otimes ≤ leq ≥ geq ≠ neq ≈ approx ≡ equiv ≅ cong ∼ sim ∝ propto ≪ ll ≫ gg ' +
  '∈ in ∉ notin ∋ ni ⊂ subset ⊃ supset ⊆ subseteq ⊇ supseteq ∪ cup ∩ cap ∅ emptyset ∀ forall ∃ exists ¬ neg ∧ wedge ∨ vee ⊥ perp ∥ parallel ' +
  '→ rightarrow ← leftarrow ↔ leftrightarrow ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow ↦ mapsto ↑ uparrow ↓ downarrow ' +
  '∑ sum ∏ prod ∫ int ∮ oint ∂ partial ∇ nabla √ surd ∞ infty … ldots ⋯ cdots ⋮ vdots ⋱ ddots ′ prime ∠ angle △ triangle ℓ ell ℏ hbar ° circ'

const words = `${greek} ${signs}`.split(' ')
const commands: ReadonlyMap<string, string> = new Map(
  Array.from({ length: words.length / 2 }, (_, i) => {
    const [sign = '', name = ''] = words.slice(2 * i, 2 * i + 2)
    return [sign, sign === '°' ? '^{\\circ}' : `\\${name}`]
  }),
)
/** Text within a formula may hold them as they are, and no commands. */
const signOrText = new RegExp(String.raw`\\(?:text[a-z]{0,4}|mbox)\s?\{[^{}]*\}|[${[...commands.keys()].join('')}]`, 'gu')

/** Signs that a model wrote into a formula as characters, as commands; a letter that follows keeps its distance. */
export const unicodeLatex = (latex: string): string =>
  latex.replaceAll('−', '-').replace(signOrText, (found, at: number) => {
    const command = commands.get(found)
    if (command === undefined) return found
    return /[A-Za-z]/.test(latex[at + found.length] ?? '') && /[a-z]$/i.test(command) ? `${command} ` : command
  })
