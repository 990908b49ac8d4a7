import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tryPort } from '../../src/runtime/processes/free-port.ts'
import { eventually } from '../support/bus-contract.ts'
import { commandLine } from '../support/kafka/command-line.ts'
import { testChain, textDocument } from '../support/kafka/test-chain.ts'
import { describeKafka } from '../support/kafka/test-kafka.ts'

interface Line {
  readonly level: string
  readonly msg: string
  readonly [field: string]: unknown
}

describeKafka('the log of a worker in JSON', () => {
  it('says start, pages that failed for good and stop, one object a line, with fields and without text of documents', async () => {
    const chain = await testChain()
    const file = join(chain.folder, 'config.json')
    const { kafka, store, ocr } = chain.config
    await writeFile(file, JSON.stringify({ kafka, store, ocr, limits: { maxPagePoints: 100 } }))
    const port = await tryPort('127.0.0.1', 0)
    const { child, said, done } = commandLine(file, { PAGESTREAM_LOG__FORMAT: 'json' })('worker', '--stage', 'all', '--lane', 'both', '--port', `${port}`)
    const lines = () => said.errors.split('\n').flatMap((line) => (line === '' ? [] : (JSON.parse(line) as Line)))
    await eventually(
      () => expect(lines()).toContainEqual(expect.objectContaining({ level: 'info', msg: expect.stringContaining('ready: page-render') })),
      60_000,
    )

    const path = join(chain.folder, 'read.pdf')
    await writeFile(path, textDocument(3))
    const submitted = await chain.submitter.identify(path, 'read.pdf')
    await chain.submitter.send(submitted)
    await eventually(() => expect(chain.of('dead-letter').length).toBe(3), 60_000)
    await eventually(() => expect(chain.of('documents.assembled').length).toBe(1), 60_000)
    const status = await (await fetch(`http://127.0.0.1:${port}/status`)).json()
    expect(status).toMatchObject({ lastError: { stage: 'page-render', lane: 'live', code: 'page-too-large' } })
    child.kill('SIGTERM')
    expect((await done).code).toBe(0)

    const failures = lines().filter(({ level }) => level === 'error')
    expect(failures.reduce((sum, { leftOut }) => sum + 1 + Number(leftOut ?? 0), 0)).toBe(3)
    for (const failure of failures) {
      expect(failure).toMatchObject({
        ...{ component: 'worker', stage: 'page-render', lane: 'live', code: 'page-too-large', class: 'input' },
        ...{ documentId: submitted.documentId, pageIndex: expect.any(Number) },
      })
    }
    expect(lines().at(-1)?.msg ?? '').not.toBe('')
    expect(lines().some(({ msg }) => msg.startsWith('draining'))).toBe(true)
    expect(said.errors).not.toContain('goes on and on')

    const refused = await commandLine(file, { PAGESTREAM_LOG__FORMAT: 'json', PAGESTREAM_KAFKA__TOPIC_PREFIX: 'nobody' })('worker', '--stage', 'all').done
    expect(refused.code).toBe(2)
    const [line = ''] = refused.errors.trim().split('\n')
    expect(JSON.parse(line)).toMatchObject({ level: 'error', code: 'kafka-topic-missing', class: 'input', fix: expect.stringContaining('topics apply') })
  })
})
