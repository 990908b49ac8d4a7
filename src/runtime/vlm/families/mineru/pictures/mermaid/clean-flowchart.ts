import { isRepetitiveFlowchart } from './flowchart-repetition.ts'
import { legalizeNodeIds } from './legal-node-ids.ts'
import { nodeStart } from './node-word.ts'

const subgraph = /^([ \t]*)subgraph[ \t]+(\S.*)$/
const legalSubgraph = /^[A-Za-z_][A-Za-z0-9_]*(?:$|[\s[(])/

/** Mermaid as a model wrote it, mended so that it can be drawn, without a fence; empty where there is none or the model repeats itself. */
export function cleanFlowchart(content: string): string {
  const text = content.trim()
  if (text === '' || isRepetitiveFlowchart(text)) return ''
  const lines = legalizeNodeIds(text)
    .split('\n')
    .filter((line) => !isHalfLabelled(line))
  return quoteLabels(mendArrows(mendKeyword(withoutFence(nameSubgraphs(lines).join('\n')))))
}

/** `A -->bad| C`: nobody can say what is the label. */
function isHalfLabelled(line: string): boolean {
  if (!line.includes('-->') || line.trimStart().startsWith('%%') || /-->[ \t]{0,8}\|[^|]+\|/.test(line)) return false
  const outside = line.replace(/"[^"]*"|'[^']*'/g, '')
  return outside.split('|').length === 2 && outside.indexOf('|') > outside.indexOf('-->')
}

/** A title that is no id becomes the label of one. */
function nameSubgraphs(lines: readonly string[]): string[] {
  const taken = new Map<string, number>()
  return lines.map((line) => {
    const [, indent = '', title = ''] = subgraph.exec(line.trimEnd()) ?? []
    if (title === '' || legalSubgraph.test(title)) return line
    const words = title.match(/[A-Za-z0-9]+/g)?.join('_') ?? 'sg'
    const base = /^\d/.test(words) ? `sg_${words}` : words
    const nth = (taken.get(base) ?? 0) + 1
    taken.set(base, nth)
    return `${indent}subgraph ${nth === 1 ? base : `${base}_${nth}`}["${title.replaceAll('"', '&quot;')}"]`
  })
}

function withoutFence(text: string): string {
  const named = text.indexOf('```mermaid')
  const open = named < 0 ? text.indexOf('```') : named
  const from = open < 0 ? 0 : open + (named < 0 ? 3 : 10)
  const close = open < 0 ? -1 : text.indexOf('```', from)
  const code = text.slice(from, close < 0 ? undefined : close).trim()
  return /^mermaid/i.test(code) ? code.slice(7).trim() : code
}

const mendKeyword = (code: string): string => code.replace(/^(?:grap|grapg|graphh)\b/i, 'graph').replace(/^(?:flowchar|flowchartt)\b/i, 'flowchart')

/** Arrows that were torn apart, and those that lack a stroke. */
function mendArrows(code: string): string {
  return code
    .replace(/<[ \t]{0,8}-[ \t]{0,8}-[ \t]{0,8}>/g, '<-->')
    .replace(/-[ \t]{1,8}->|--[ \t]{1,8}>|-[ \t]{1,8}-[ \t]{1,8}>/g, '-->')
    .replace(/(?<=[^\s=-])[ \t]{1,8}->[ \t]{1,8}/g, ' --> ')
}

/** `A[Start]` becomes `A["Start"]`: brackets, quotes and breaks in a label do no harm then. */
function quoteLabels(code: string): string {
  const [closing, quotedClosing, lineEnd] = [nextOf(code, ']'), nextOf(code, '"]'), nextOf(code, '\n')]
  let [out, from] = ['', 0]
  for (let open = code.indexOf('['); open >= 0; open = code.indexOf('[', from)) {
    // A quoted label on one line may hold brackets.
    const holdsBrackets = code[open + 1] === '"' && quotedClosing(open + 2) < lineEnd(open)
    const close = holdsBrackets ? quotedClosing(open + 2) + 1 : closing(open)
    if (close === Infinity) break
    const start = nodeStart(code, open, from)
    const [id, label] = [code.slice(start, open).trim(), code.slice(open + 1, close)]
    const known = id === '' || /^subgraph\s/i.test(id) || label.startsWith('"[')
    out += code.slice(from, start) + (known ? code.slice(start, close + 1) : `${id.replace(/[ \t]+/g, '_')}[${quoted(label)}]`)
    from = close + 1
  }
  return out + code.slice(from)
}

/** Where something comes next, asked for places that only grow: all questions together take one walk. */
function nextOf(text: string, sought: string): (from: number) => number {
  let found = -1
  return (from) => {
    if (found < from) {
      const at = text.indexOf(sought, from)
      found = at < 0 ? Infinity : at
    }
    return found
  }
}

function quoted(label: string): string {
  if (label === '') return ''
  const text = label.length > 1 && label.startsWith('"') && label.endsWith('"') ? label.slice(1, -1) : label
  return `"${text.replaceAll('"', '&quot;').replaceAll('\n', '<br>')}"`
}
