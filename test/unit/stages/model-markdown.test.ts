import { expect, it } from 'vitest'
import { modelMarkdown } from '../../../src/stages/model-markdown.ts'

const markdownOf = (text: string) => modelMarkdown({ kind: 'text', text, raw: text, flags: [] })

it('writes inline formulas between dollar signs and all else so that it renders as it is written', () => {
  expect(markdownOf('# of \\(x<b\\) is *n*\n- \\(y\\)')).toBe('\\# of $x< b$ is \\*n\\*\n\\- $y$')
})

it('takes what is open to its end as text', () => {
  expect(markdownOf('see \\(x')).toBe('see \\\\(x')
})

it.each(['\\(', '\\)', '\\(\\)', '\\(a', '$', '`', '*a', '<a', '~ a', '['])('takes time in the length of a text of "%s"', (unit) => {
  const text = unit.repeat(100_000 / unit.length)
  const before = process.cpuUsage()
  markdownOf(text)
  expect(process.cpuUsage(before).user).toBeLessThan(500_000)
})
