import { mkdirSync, writeFileSync } from 'node:fs'

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** `rows` are objects of one shape; keys are the headings. */
export function markdownTable(rows) {
  const keys = Object.keys(rows[0] ?? {})
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(keys), line(keys.map(() => '---')), ...rows.map((row) => line(keys.map((key) => row[key] ?? '–')))].join('\n')
}

/** Prints a result, its ratio as the last line, and with `save` writes bench/results/<name>.json and .md. */
export function report({ name, title, conditions, tables, notes = [], ratio, data, save }) {
  const text = [
    `# ${title}`,
    '',
    ...tables.flatMap(({ heading, rows }) => [`## ${heading}`, '', markdownTable(rows), '']),
    ...notes.map((note) => `- ${note}`),
    ...(notes.length > 0 ? [''] : []),
    '## Conditions',
    '',
    ...Object.entries(conditions).map(
      ([key, value]) =>
        `- ${key}: ${
          typeof value === 'object'
            ? Object.entries(value)
                .map((pair) => pair.join(' '))
                .join(', ')
            : value
        }`,
    ),
    '',
    `**Ratio:** ${ratio}`,
    '',
  ].join('\n')
  if (save) {
    const folder = new URL('./results/', import.meta.url)
    mkdirSync(folder, { recursive: true })
    writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify({ name, conditions, ratio, ...data }, null, 2)}\n`)
    writeFileSync(new URL(`${name}.md`, folder), text)
  }
  console.log(text.replace(/\*\*Ratio:\*\* .*\n$/, ''))
  console.log(`ratio: ${ratio}`)
}
