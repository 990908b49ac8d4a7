import { describe, expect, it } from 'vitest'
import { configSchema } from '../../../../src/config/config.ts'
import type { LogEntry } from '../../../../src/telemetry/log/log.ts'
import { openLog } from '../../../../src/telemetry/log/open-log.ts'

const failed: LogEntry = {
  ...{ level: 'error', stage: 'layout', lane: 'live', code: 'engine-failed', class: 'model', documentId: 'ab\u001b[2J', pageIndex: 3 },
  ...{ text: 'asking https://someone:mark@host/v1\nno', traceId: 'f'.repeat(32) },
}

async function said(log: Record<string, unknown>, entries: readonly LogEntry[]) {
  const lines: string[] = []
  const opened = await openLog(configSchema.parse({ log }).log, { component: 'worker', write: (line) => lines.push(line) })
  for (const entry of entries) opened.log(entry)
  opened[Symbol.dispose]()
  return lines
}

describe('the log of a process', () => {
  it('writes lines for people: where, code, what; a failure that ends it with what to do', async () => {
    expect(
      await said({}, [
        { level: 'warn', stage: 'layout', lane: 'bulk', text: 'takes nothing in' },
        failed,
        { level: 'error', code: 'port-unavailable', text: 'listening on 9464', fix: 'Choose another one.' },
        { level: 'debug', text: 'a message' },
      ]),
    ).toEqual([
      'pagestream worker: layout (bulk): takes nothing in',
      'pagestream worker: layout (live): engine-failed: asking https://host/v1 no [document ab\\u{1b}[2J, page 4]',
      'pagestream: port-unavailable: listening on 9464',
      '            Choose another one.',
    ])
  })

  it('writes one object of JSON a line, with all that is known and no secret, from the level on that is asked for', async () => {
    const lines = await said({ format: 'json', level: 'warn' }, [{ level: 'info', text: 'ready' }, failed, failed, failed])
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        ...{ level: 'error', time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/), component: 'worker', pid: process.pid, msg: 'asking https://host/v1 no' },
        ...{ stage: 'layout', lane: 'live', code: 'engine-failed', class: 'model', documentId: 'ab\u001b[2J', pageIndex: 3, traceId: 'f'.repeat(32) },
      },
      expect.objectContaining({ code: 'engine-failed', leftOut: 1 }),
    ])
    expect(lines.join('')).not.toContain('mark')
  })

  it('cuts ids that are of any length', async () => {
    const [line = ''] = await said({ format: 'json' }, [{ ...failed, documentId: 'x'.repeat(10_000) }])
    expect(line.length).toBeLessThan(1_000)
  })
})
