import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../../src/config/package-root.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { show, tinyPdf } from '../../support/tiny-pdf.ts'

const main = fileURLToPath(new URL('../../../dist/bundle/cli.js', import.meta.url))
const book = (pages: number) => tinyPdf(Array.from({ length: pages }, (_, i) => ({ content: show(`This is page number ${i + 1} of a small book.`, 72, 400) })))

interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

async function pagestream(
  args: string[],
  options: { stdin?: Buffer; during?: (stderrAndOut: string, kill: (signal: NodeJS.Signals) => void) => void } = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [main, ...args], { stdio: 'pipe' })
  let stdout = ''
  let stderr = ''
  const watch = () => options.during?.(stdout + stderr, (signal) => child.kill(signal))
  child.stdout.on('data', (piece) => {
    stdout += piece
    watch()
  })
  child.stderr.on('data', (piece) => {
    stderr += piece
    watch()
  })
  child.stdin.end(options.stdin ?? '')
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, stdout, stderr }
}

const lines = (text: string): Record<string, unknown>[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

async function twoFiles(): Promise<string> {
  const folder = await tempFolder()
  await writeFile(join(folder, 'good.pdf'), book(2))
  await writeFile(join(folder, 'bad.pdf'), 'no document at all')
  return folder
}

describe('the command line', () => {
  it.each([
    ['parse', 'x.pdf', '--out', 'out'],
    ['models', 'list'],
    ['models', 'fetch'],
    ['models', 'verify'],
  ])('ends %s %s with 2 and the problem when the configuration cannot be read', async (...args) => {
    const ran = await pagestream([...args, '--config', join(await tempFolder(), 'none.json')])
    expect(ran.code).toBe(2)
    expect(ran.stderr).toMatch(/^configuration: .*none\.json.*\n$/)
  })

  it('ends with 1 and the reason when the output folder cannot be written', async () => {
    const folder = await twoFiles()
    const ran = await pagestream(['parse', join(folder, 'good.pdf'), '--out', join(folder, 'good.pdf', 'out')])
    expect(ran.code).toBe(1)
    expect(ran.stderr).toMatch(/^pagestream: store-failed: /)
  })

  it('ends with 0 and says where the results are when all is good', async () => {
    const [folder, out] = [await twoFiles(), await tempFolder()]
    const ran = await pagestream(['parse', join(folder, 'good.pdf'), '--out', out])
    expect(ran).toMatchObject({ code: 0, stdout: '' })
    expect(ran.stderr).toContain(join(out, 'good.pdf'))
    expect(await readFile(join(out, 'good.pdf', 'document.md'), 'utf8')).toContain('small book')
  })

  it('ends with 1 and names each failed document with its code', async () => {
    const ran = await pagestream(['parse', await twoFiles(), '--out', await tempFolder()])
    expect(ran.code).toBe(1)
    expect(ran.stderr).toMatch(/bad\.pdf: document-not-supported: /)
    expect(ran.stderr).toMatch(/2 documents, 1 failed/)
  })

  it('prints nothing but JSON lines on standard output with --json', async () => {
    const { stdout, code } = await pagestream(['parse', await twoFiles(), '--out', await tempFolder(), '--json'])
    const events = lines(stdout)
    expect(code).toBe(1)
    expect(events.map(({ event }) => event).sort()).toEqual(['document', 'document', 'end', 'opened', 'page', 'page'])
    expect(events.find(({ name, event }) => name === 'bad.pdf' && event === 'document')).toMatchObject({
      status: 'failed',
      failure: { class: 'input', code: 'document-not-supported' },
    })
  })

  it('reads standard input', async () => {
    const out = await tempFolder()
    const { code } = await pagestream(['parse', '-', '--out', out, '--format', 'md'], { stdin: book(1) })
    expect(code).toBe(0)
    expect(await readFile(join(out, 'stdin', 'document.md'), 'utf8')).toContain('small book')
  })

  it.each([
    [['parse']],
    [['parse', 'x.pdf']],
    [['parse', 'x.pdf', '--out', 'o', '--pages', '0']],
    [['parse', 'x.pdf', '--out', 'o', '--ocr', 'perhaps']],
    [['parse', 'x.pdf', '--out', 'o', '--format', 'docx']],
    [['parse', 'x.pdf', '--out', 'o', '--config', 'no-such-file.json']],
    [['no-such-command']],
  ])('ends with 2 for usage and configuration errors: %j', async (args) => {
    const ran = await pagestream(args)
    expect(ran.code).toBe(2)
    expect(ran.stderr).not.toBe('')
  })

  it('has help with examples for every command', async () => {
    for (const args of [[], ['parse'], ['doctor'], ['models']]) {
      const { code, stdout } = await pagestream([...args, '--help'])
      expect(code).toBe(0)
      expect(stdout).toMatch(/Examples:\n {2}pagestream /)
    }
  })

  it('finishes what is under way on Ctrl-C, ends with 130, and the next run resumes', async () => {
    const [folder, out] = [await tempFolder(), await tempFolder()]
    const file = join(folder, 'book.pdf')
    await writeFile(file, book(400))
    const config = join(folder, 'config.json')
    await writeFile(config, JSON.stringify({ limits: { bufferedPages: 4 } }))
    const args = ['parse', file, '--out', out, '--json', '--config', config]
    let sent = false
    const first = await pagestream(args, {
      during: (output, kill) => {
        if (sent || output.split('"event":"page"').length < 10) return
        sent = true
        kill('SIGINT')
      },
    })
    expect(first.code).toBe(130)
    const done = lines(first.stdout).filter(({ event }) => event === 'page').length
    expect(lines(first.stdout).at(-1)).toMatchObject({ event: 'interrupted' })
    expect(done).toBeLessThan(400)
    const second = await pagestream(args)
    expect(second.code).toBe(0)
    expect(lines(second.stdout).filter(({ event }) => event === 'document')).toMatchObject([{ status: 'complete', pages: 400 }])
  })

  it('resumes by page after it was killed, and takes over the lock of the dead run', async () => {
    const [folder, out] = [await tempFolder(), await tempFolder()]
    const file = join(folder, 'book.pdf')
    await writeFile(file, book(400))
    const config = join(folder, 'config.json')
    await writeFile(config, JSON.stringify({ limits: { bufferedPages: 4 } }))
    const args = ['parse', file, '--out', out, '--json', '--config', config]
    const first = await pagestream(args, { during: (output, kill) => output.split('"event":"page"').length >= 10 && kill('SIGKILL') })
    expect(first.code).toBe(null)
    expect(await readdir(join(out, '.pagestream'))).toEqual(['lock', 'results'])
    const second = await pagestream(args)
    const events = lines(second.stdout)
    expect(second.code).toBe(0)
    expect(events.filter(({ event }) => event === 'document')).toMatchObject([{ status: 'complete', pages: 400 }])
    const pages = events.filter(({ event }) => event === 'page').map(({ page }) => Number(page))
    expect(pages.sort((a, b) => a - b)).toEqual(Array.from({ length: 400 }, (_, i) => i + 1))
    const markdown = await readFile(join(out, 'book.pdf', 'document.md'), 'utf8')
    for (let i = 1; i <= 400; i++) expect(markdown.split(`number ${i} of`)).toHaveLength(2)
    expect(await readdir(join(out, '.pagestream'))).toEqual(['done', 'results'])
  })

  it('refuses an output folder into which another run writes, with 1 and the code', async () => {
    const [folder, out] = [await tempFolder(), await tempFolder()]
    const file = join(folder, 'book.pdf')
    await writeFile(file, book(400))
    let second: Promise<Ran> | undefined
    const first = await pagestream(['parse', file, '--out', out, '--json'], {
      during: (output) => {
        if (output.includes('"event":"opened"')) second ??= pagestream(['parse', file, '--out', out, '--json'])
      },
    })
    const refused = await second
    expect(refused?.code).toBe(1)
    expect(lines(refused?.stdout ?? '')).toMatchObject([{ event: 'error', failure: { class: 'transient', code: 'output-busy' } }])
    expect(first.code).toBe(0)
  })

  it('says the code of a configuration error in the machine-readable lines', async () => {
    const ran = await pagestream(['parse', 'x.pdf', '--out', await tempFolder(), '--json', '--config', 'no-such-file.json'])
    expect(ran.code).toBe(2)
    expect(lines(ran.stdout)).toMatchObject([{ event: 'error', failure: { class: 'input', code: 'configuration' } }])
  })

  it.skipIf(!existsSync('/proc/self'))('ends at once when the place takes no folders', async () => {
    const ran = await pagestream(['parse', join(await twoFiles(), 'good.pdf'), '--out', '/proc/no-such-place'])
    expect(ran.code).toBe(1)
    expect(ran.stderr).toMatch(/^pagestream: store-failed: making the folder \/proc\/no-such-place: /)
  })

  it('plans a backfill with what the pages would cost that need a model', async () => {
    const folder = await tempFolder()
    await writeFile(join(folder, 'book.pdf'), book(3))
    await writeFile(join(folder, 'scan.jpg'), await readFile(join(packageRoot(), 'samples', 'photo.jpg')))
    const plan = async (...args: string[]) => (await pagestream(['backfill', 'plan', folder, ...args])).stdout
    expect(lines(await plan('--json'))).toMatchObject([{ documents: 2, pages: 4, modelPages: 1, tokens: null, gpuHours: null }])
    const figures = ['--tokens-per-page', '900', '--tokens-per-second', '0.5']
    expect(await plan(...figures)).toContain('read by a model: 1 of 4 pages (25 %): about 900 tokens, 0.50 GPU-hours')
    expect(await plan()).toMatch(/tokens and GPU-hours unknown.*--tokens-per-page/)
  })

  it('looks at the machine and the models', async () => {
    const out = join(await tempFolder(), 'new')
    await mkdir(out)
    const doctor = await pagestream(['doctor', '--out', out])
    expect(doctor.stdout).toMatch(/^ok {7}Node/m)
    expect(doctor.stdout).toMatch(/^ok {7}model pp-ocrv4-mobile-det .*checksum right/m)
    expect(doctor.code).toBe(0)
    const models = await pagestream(['models', 'list'])
    expect(models.stdout).toMatch(/pp-ocrv6-small-rec/)
    expect((await pagestream(['models', 'verify', 'no-such-model'])).code).toBe(2)
  })
})
