import { hasRun, mostOf } from '../runs.ts'
import { nodeStart } from './node-word.ts'

const mostEqualInRow = 8
const mostEqual = 20
const edgePattern = /^([A-Za-z0-9_\u4e00-\u9fa5-]+)\s*-->\s*(?:\|[^|]*\|\s*)?([A-Za-z0-9_\u4e00-\u9fa5-]+)(.*)$/
const shapePattern = /^\s*(?:\[[^\]]*\]|\([^)]*\)|\{[^}]*\})?\s*$/
const labelPattern = /^\s*\["([^"]*)"\]\s*$/
/** The id at one end of an arrow, after its label. */
const endPattern = /^\s*(?:\|[^|]*\|\s*)?([A-Za-z0-9_\u4e00-\u9fa5-]+)/
const structurePattern = /^(?:graph |flowchart |subgraph |direction |%%|end$)/i

/** Whether a flowchart looks like a model that repeats itself: edges, labels, lines or the ids of nodes. */
export function isRepetitiveFlowchart(content: string): boolean {
  const lines = linesOf(content)
  const arrows = lines.filter((line) => line.includes('-->'))
  const edges = arrows.flatMap((line) => {
    const [, from = '', to = '', rest = ''] = edgePattern.exec(line) ?? []
    return from && to && shapePattern.test(rest) ? [{ from, to, label: labelPattern.exec(rest)?.[1] }] : []
  })
  const ids = arrows.flatMap((line) => line.split('-->').flatMap((end) => endPattern.exec(end)?.[1] ?? []))
  return (
    mostOf(edges.map(({ from, to }) => `${from} ${to}`)) >= 8 ||
    mostOf(edges.flatMap(({ label }) => (label ? [label] : []))) >= 8 ||
    repeats(lines.filter((line) => !structurePattern.test(line) && !line.includes('-->')).map(bare)) ||
    nodesOf(content).some(({ id, label }) => isRepetitiveId(id) || isRepetitiveLabel(label)) ||
    ids.some(isRepetitiveId)
  )
}

/** Breaks within labels are lines too, however they are written. */
const linesOf = (text: string): string[] =>
  text
    .replace(/\\n|<br ?\/?>/gi, '\n')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

const repeats = (lines: readonly string[]): boolean => {
  const written = lines.filter((line) => line !== '')
  return hasRun(written, mostEqualInRow) || mostOf(written) >= mostEqual
}

/** A line of text without what closes or opens a label. */
const bare = (line: string): string => {
  let [from, to] = [0, line.length]
  while (from < to && '[]()"\' >'.includes(line[from] ?? '')) from++
  while (to > from && '[]()"\' ,.;:'.includes(line[to - 1] ?? '')) to--
  return line.slice(from, to)
}

function isRepetitiveLabel(label: string): boolean {
  const lines = linesOf(label)
  return repeats(lines) || (label.length >= 2000 && new Set(lines).size <= lines.length / 5)
}

/** Longer than anybody names a node, or `AnAnAn…`. */
function isRepetitiveId(id: string): boolean {
  return id.length > 128 || mostOf(id.match(/[A-Z][a-z]|[A-Z]{2}/g) ?? pairsOf(id)) >= 8
}

const pairsOf = (id: string): string[] =>
  (id.match(/[A-Za-z]{8,}/g) ?? []).flatMap((run) => Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2)))

/** Nodes with a quoted label, `A["…"]`. */
function nodesOf(content: string): { id: string; label: string }[] {
  const nodes = []
  let from = 0
  for (let open = content.indexOf('["'); open >= 0; open = content.indexOf('["', from)) {
    const close = content.indexOf('"]', open + 2)
    if (close < 0) break
    nodes.push({ id: content.slice(nodeStart(content, open, from), open).trim(), label: content.slice(open + 2, close) })
    from = close + 2
  }
  return nodes
}
