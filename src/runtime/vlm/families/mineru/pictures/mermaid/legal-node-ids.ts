import { splitStatement } from './split-statement.ts'

const legalId = /^[A-Za-z_][A-Za-z0-9_]*$/
const declared = /^\s*([A-Za-z_][A-Za-z0-9_]*)\s*[[({]/
const shape = /[[\](){}"|]/
const labelled = /^\|([^|]*)\|\s*(\S[\s\S]*)$/

/**
 * Gives the nodes of edges whose names are no ids such ones, the name as a label where it first stands: `Top Box --> B` becomes `TopBox["Top Box"] --> B`.
 * Edges that point both ways are left alone.
 */
export function legalizeNodeIds(code: string): string {
  const lines = code.split('\n')
  const names = new NodeNames(lines.flatMap((line) => declared.exec(line)?.[1] ?? []))
  return lines.map((line) => (isEdge(line) ? fixLine(line, names) : line)).join('\n')
}

const isEdge = (line: string): boolean => line.includes('-->') && !/<[ -]{0,8}>/.test(line) && !line.trimStart().startsWith('%%')

function fixLine(line: string, names: NodeNames): string {
  const indent = line.slice(0, line.length - line.trimStart().length)
  const statements = splitStatement(line, ';').map((statement) => fixStatement(statement.trim(), names))
  return indent + statements.join('; ').trimEnd()
}

function fixStatement(statement: string, names: NodeNames): string {
  const [first = '', ...targets] = splitStatement(statement, '-->')
  if (targets.length === 0) return statement
  return targets.reduce((fixed, target) => `${fixed} -->${fixTarget(target.trim(), names)}`, names.of(first.trim()))
}

function fixTarget(target: string, names: NodeNames): string {
  const [, label, node] = labelled.exec(target) ?? []
  if (label === undefined || node === undefined) return ` ${names.of(target)}`
  const words = label.replace(/[()]/g, '').replace(/ +/g, ' ').trim()
  return `|${words}| ${names.of(node.trim())}`
}

class NodeNames {
  /** Taken ids; those of names by name. */
  readonly #taken: Set<string>
  readonly #ids = new Map<string, string>()
  /** The number that the next node of the same id gets. */
  readonly #next = new Map<string, number>()

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken)
  }

  /** A node as it is written in an edge; one with a shape or a legal id as it is. */
  of(name: string): string {
    if (name === '' || shape.test(name) || legalId.test(name)) return name
    const known = this.#ids.get(name)
    if (known !== undefined) return known
    const id = this.#unused(toId(name))
    this.#ids.set(name, id)
    return `${id}["${name}"]`
  }

  #unused(base: string): string {
    let id = base
    while (this.#taken.has(id)) {
      const nth = this.#next.get(base) ?? 2
      this.#next.set(base, nth + 1)
      id = `${base}${nth}`
    }
    this.#taken.add(id)
    return id
  }
}

/** The first word, then the others with a capital. */
function toId(name: string): string {
  const [first = 'node', ...others] = name.match(/[A-Za-z0-9]+/g) ?? []
  const id = first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()).join('')
  return /^\d/.test(id) ? `n${id}` : id
}
