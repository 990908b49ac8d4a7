import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { backfillCommand } from '../../../src/cli/backfill-command.ts'
import { dlqCommand } from '../../../src/cli/dlq-command.ts'
import { doctorCommand } from '../../../src/cli/doctor-command.ts'
import { modelsCommand } from '../../../src/cli/models-command.ts'
import { statusCommand } from '../../../src/cli/status-command.ts'
import { storeCommand } from '../../../src/cli/store-command.ts'
import { submitCommand } from '../../../src/cli/submit-command.ts'
import { tailCommand } from '../../../src/cli/tail-command.ts'
import { topCommand } from '../../../src/cli/top-command.ts'
import { topicsCommand } from '../../../src/cli/topics-command.ts'
import { workerCommand } from '../../../src/cli/worker-command.ts'
import { packageRoot } from '../../../src/config/package-root.ts'
import { labelsOfSeries, rules } from '../../support/grafana-files.ts'

const folder = join(packageRoot(), 'docs/runbooks')
const pages = readdirSync(folder)
  .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
  .filter(({ name }) => name !== 'README.md')
const overview = readFileSync(join(folder, 'README.md'), 'utf8')
const alerts = rules.filter(({ alert }) => alert !== undefined)
const names = new Set(alerts.map(({ alert = '' }) => alert))
const pageOf = (alert: string) =>
  `${alert
    .replace('Pagestream', '')
    .replace(/\B[A-Z]/g, '-$&')
    .toLowerCase()}.md`
const spans = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span)

const commands = [
  ...[backfillCommand(), dlqCommand(), doctorCommand(), modelsCommand(), statusCommand()],
  ...[storeCommand(), submitCommand(), tailCommand(), topCommand(), topicsCommand(), workerCommand()],
]

/** What of a command line our program does not know: a command or an option. */
function unknownOf(line: string): string[] {
  const [, first = '', second = ''] = line.split(/\s+/)
  const command = commands.find((each) => each.name() === first)
  if (!command) return [first]
  const inner: Command | undefined = command.commands.length > 0 ? command.commands.find((each) => each.name() === second) : command
  if (!inner) return [`${first} ${second}`]
  return (line.match(/--[\w-]+/g) ?? []).filter((option) => !inner.options.some(({ long }) => long === option))
}

describe('the runbooks', () => {
  it('are one for each alert, which names it', () => {
    expect(pages.map(({ name }) => name).sort()).toEqual([...names].map(pageOf).sort())
    for (const { alert = '', annotations } of alerts) {
      expect(annotations?.runbook_url).toBe(`docs/runbooks/${pageOf(alert)}`)
      expect(overview).toContain(`| [${alert}](${pageOf(alert)}) |`)
    }
  })

  it.each(pages)('says what it means, where to look, what to do and when to call someone else: $name', ({ text }) => {
    expect(text.match(/^## .*$/gm)).toEqual(['## What it means', '## Look first', '## What to do', '## When to escalate'])
    for (const part of text.split(/^#+ .*$/m).slice(2)) expect(part.trim().length).toBeGreaterThan(30)
  })

  it.each(pages)('names commands, options, keys and series that there are, and leads to pages that there are: $name', ({ text }) => {
    const keys = readFileSync(join(packageRoot(), 'docs/config.md'), 'utf8')
    for (const span of spans(text)) {
      if (span.startsWith('pagestream ')) expect(unknownOf(span), span).toEqual([])
      if (/^pagestream[_:]/.test(span)) expect(labelsOfSeries(span) ?? labelsOfSeries(`${span}_count`), span).toBeDefined()
      if (/^[a-z]+(\.[a-zA-Z]+)+$/.test(span)) expect(keys, span).toContain(`| \`${span}\` |`)
    }
    for (const [, target = ''] of text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)) expect(existsSync(join(dirname(join(folder, 'x')), target)), target).toBe(true)
    expect(unknownOf('pagestream dlq lost')).toEqual(['dlq lost'])
    expect(unknownOf('pagestream status --runn x')).toEqual(['--runn'])
  })
})

describe('the pages for operators', () => {
  it.each(['operations.md', 'capacity.md', 'security.md'])(
    'name commands, options and scripts that there are, and lead to pages that there are: %s',
    (name) => {
      const text = readFileSync(join(packageRoot(), 'docs', name), 'utf8')
      const fenced = [...text.matchAll(/```\w*\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.match(/\bpagestream .*$/gm) ?? [])
      for (const span of [...spans(text.replace(/```[\s\S]*?```/g, '')), ...fenced]) {
        if (span.startsWith('pagestream ') && !span.startsWith('pagestream COMMAND ')) expect(unknownOf(span), span).toEqual([])
        const [, script] = /^node (\S+)/.exec(span) ?? []
        if (script) expect(existsSync(join(packageRoot(), script)), span).toBe(true)
      }
      for (const [, target = ''] of text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)) expect(existsSync(join(packageRoot(), 'docs', target)), target).toBe(true)
    },
  )
})
