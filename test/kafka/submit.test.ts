import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import type { BlockEvent } from '../../src/schema/events.ts'
import { eventually } from '../support/bus-contract.ts'
import { commandLine } from '../support/kafka/command-line.ts'
import { testChain, textDocument } from '../support/kafka/test-chain.ts'
import { describeKafka, testKafkaConfig } from '../support/kafka/test-kafka.ts'
import { tempFolder } from '../support/temp-folder.ts'

interface Said {
  readonly event: string
  readonly documentId?: string
  readonly status?: string
  readonly name?: string
  readonly block?: { readonly id: string; readonly text?: string }
}

/** The command, beside a worker. */
async function command() {
  const chain = await testChain()
  const { kafka, store, ocr } = chain.config
  const config = join(chain.folder, 'config.json')
  await writeFile(config, JSON.stringify({ kafka, store, ocr }))
  await chain.work()
  const submit = async (...args: string[]): Promise<{ code: number | null; said: Said[] }> => {
    const { code, out } = await commandLine(config)('submit', ...args, '--json').done
    const lines = out.split('\n').filter((line) => line !== '')
    return { code, said: lines.map((line) => JSON.parse(line) as Said) }
  }
  return { ...chain, submit, config }
}

describeKafka('pagestream submit, over a real broker', () => {
  it('follows documents to their end with all blocks of each, and passes over what is complete', async () => {
    const { folder, submit, of } = await command()
    const paths = await Promise.all(
      ['one', 'two'].map(async (name, i) => {
        const path = join(folder, `${name}.pdf`)
        await writeFile(path, textDocument(i + 2, name))
        return path
      }),
    )
    const { code, said } = await submit(...paths, '--follow')
    expect(code).toBe(0)
    const events = (name: string) => said.filter(({ event }) => event === name)
    expect(events('submitted')).toHaveLength(2)
    expect(events('document').map(({ status }) => status)).toEqual(['complete', 'complete'])
    const told = new Set(events('block').map(({ block }) => block?.id))
    expect(told.size).toBeGreaterThanOrEqual(5)
    expect(events('block').every(({ name, block }) => block?.text?.startsWith(name === 'one.pdf' ? 'one' : 'two'))).toBe(true)
    await eventually(() => expect(new Set(of('blocks').map(({ payload }) => (payload as BlockEvent).block.id))).toEqual(told))

    const again = await submit(...paths, '--wait')
    expect(again.code).toBe(0)
    expect(again.said.map(({ event }) => event)).toEqual(['unchanged', 'unchanged'])
  })

  it('names the document in front of each of its blocks, for people', async () => {
    const { folder, config } = await command()
    const paths = ['one', 'two'].map((name) => join(folder, `${name}.pdf`))
    for (const path of paths) await writeFile(path, textDocument(1, path.endsWith('one.pdf') ? 'one' : 'two'))
    const { code, out } = await commandLine(config)('submit', ...paths, '--follow').done
    expect(code).toBe(0)
    const blocks = out.split('\n').filter((line) => line.startsWith('  '))
    for (const name of ['one', 'two']) expect(blocks.some((line) => line.startsWith(`  ${name}.pdf  p. 1  `) && line.includes(`${name} 1, line`))).toBe(true)
    expect(blocks.every((line) => /^ {2}(one|two)\.pdf {2}p\. 1 {2}/.test(line))).toBe(true)
    expect(out).toMatch(/^complete {2}one\.pdf: 1 page$/m)
  })

  it('ends at once with the remedy where the topics are not there, and has put no file into the store', async () => {
    const folder = await tempFolder()
    const store = pathToFileURL(join(folder, 'store')).href
    const [config, file] = [join(folder, 'config.json'), join(folder, 'one.pdf')]
    await writeFile(config, JSON.stringify({ kafka: testKafkaConfig(), store: { url: store } }))
    await writeFile(file, textDocument(1))
    for (const args of [
      ['submit', file, file],
      ['submit', file, '--follow'],
      ['backfill', 'run', folder],
    ]) {
      expect(await commandLine(config)(...args).done).toMatchObject({ code: 2, errors: expect.stringMatching(/kafka-topic-missing.*pagestream topics apply/s) })
    }
    expect(existsSync(join(folder, 'store', 'inputs'))).toBe(false)
  })

  it('ends with 1 for a document that cannot be read, after the end of the others', async () => {
    const { folder, submit } = await command()
    const [good, bad] = [join(folder, 'good.pdf'), join(folder, 'bad.pdf')]
    await writeFile(good, textDocument(1))
    await writeFile(bad, '%PDF-1.7\nand then nothing')
    const { code, said } = await submit(bad, good, '--wait')
    expect(code).toBe(1)
    expect(
      said
        .filter(({ event }) => event === 'document')
        .map(({ status }) => status)
        .sort(),
    ).toEqual(['complete', 'failed'])
  })
})
