import type { PrintedLine } from './printed-line.ts'

/**
 * Puts a drop capital, a large letter that several lines stand beside, in front of the first of them: read at its own
 * baseline it would come after the line that it begins.
 *
 * @param lines by baseline.
 */
export function attachDropCaps(lines: readonly PrintedLine[]): PrintedLine[] {
  const caps = lines.filter((line) => line.text.length > 0 && line.text.length <= 2 && /^\p{L}|^["“„«]/u.test(line.text))
  if (caps.length === 0) return [...lines]
  const replaced = new Map<PrintedLine, PrintedLine>()
  const gone = new Set<PrintedLine>()
  for (const cap of caps) {
    const first = lines.find((line) => line !== cap && !gone.has(line) && standsBeside(cap, line))
    if (!first) continue
    gone.add(cap)
    replaced.set(first, joined(cap, first))
  }
  return lines.filter((line) => !gone.has(line)).map((line) => replaced.get(line) ?? line)
}

/** The line begins right of the letter, level with its top, in much smaller type. */
function standsBeside(cap: PrintedLine, line: PrintedLine): boolean {
  if (cap.em < 1.8 * line.em || line.chars < 4) return false
  const gap = line.box[0] - cap.box[2]
  return gap > -0.5 * line.em && gap < 1.5 * line.em && line.baseline < cap.baseline && line.baseline > cap.baseline - cap.em
}

function joined(cap: PrintedLine, line: PrintedLine): PrintedLine {
  return {
    ...line,
    // The box stays that of the small line: white above is measured from it.
    box: [cap.box[0], Math.min(line.box[1], cap.box[1]), line.box[2], line.box[3]],
    atoms: [...cap.atoms, ...line.atoms],
    places: [...cap.places, ...line.places],
    text: cap.text + line.text,
    chars: cap.chars + line.chars,
  }
}
