import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { expect, it } from 'vitest'
import { backfillCommand } from '../../src/cli/backfill-command.ts'
import { modelsCommand } from '../../src/cli/models-command.ts'
import { storeCommand } from '../../src/cli/store-command.ts'
import { submitCommand } from '../../src/cli/submit-command.ts'
import { topicsCommand } from '../../src/cli/topics-command.ts'
import { packageRoot } from '../../src/config/package-root.ts'
import { describeHelm, render } from '../support/helm/chart.ts'
import { type Container, containersOf, type Manifest, manifest, podsOf } from '../support/helm/manifest.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** Reads arguments as the command line does, and does nothing. Throws for those that it would not take. */
async function understood([name, ...rest]: readonly string[]): Promise<string> {
  const commands = [backfillCommand(), modelsCommand(), storeCommand(), submitCommand(), topicsCommand()]
  const command = commands.find((each) => each.name() === name)
  if (!command) throw new Error(`no command ${name}`)
  let ran = ''
  const quiet = (each: Command): void => {
    each.exitOverride()
    if (each.commands.length === 0) {
      each.action(() => {
        ran = each.name()
      })
    }
    for (const child of each.commands) quiet(child)
  }
  quiet(command)
  await command.parseAsync(rest, { from: 'user' })
  return ran
}

const job = (manifests: readonly Manifest[], name: string): Container => {
  const [container] = manifest(manifests, 'Job', name).spec?.template?.spec.containers ?? []
  if (!container) throw new Error(`${name} runs nothing`)
  return container
}

const backfill = { enabled: true, run: 'archive-2026', archive: 's3://scans/2025', args: ['--in-place', '--rate', '20', '--reprocess', 'failed'] }
const backfillName = (manifests: readonly Manifest[]) =>
  manifests.find(({ kind, metadata }) => kind === 'Job' && metadata.name.startsWith('docs-pagestream-backfill-'))?.metadata.name ?? ''

describeHelm('Jobs of the chart', () => {
  it('run commands that there are, with flags that they take', async () => {
    const { manifests } = render({ values: { backfill, modelCache: { models: ['pp-ocrv6-small-rec'], claim: { create: true } } } })
    expect(await understood(job(manifests, 'docs-pagestream-topics').args ?? [])).toBe('apply')
    expect(await understood(job(manifests, 'docs-pagestream-store-check').args ?? [])).toBe('check')
    expect(await understood(job(manifests, backfillName(manifests)).args ?? [])).toBe('run')
    const others = podsOf(manifests).flatMap(({ pod }) => containersOf(pod).filter(({ args: [name] = [] }) => name === 'models' || name === 'submit'))
    expect(others.length).toBeGreaterThan(4)
    for (const { args = [] } of others) expect(['fetch', 'verify', 'submit']).toContain(await understood(args))
  })

  it('prepare topics and look at the store before each installation and upgrade, unless told not to', () => {
    const hooks = (values: object) =>
      render({ values })
        .manifests.filter(({ kind, metadata }) => kind === 'Job' && metadata.annotations?.['helm.sh/hook'] === 'pre-install,pre-upgrade')
        .map(({ metadata }) => metadata.name)
    expect(hooks({})).toEqual(['docs-pagestream-store-check', 'docs-pagestream-topics'])
    expect(hooks({ hooks: { storeCheck: { enabled: false } } })).toEqual(['docs-pagestream-topics'])
    expect(hooks({ hooks: { storeCheck: { enabled: false }, topics: { enabled: false } } })).toEqual([])
  })

  it('read an archive only where one is asked for; another run is another Job, the same is the same', () => {
    expect(backfillName(render().manifests)).toBe('')
    const { manifests } = render({ values: { backfill } })
    const name = backfillName(manifests)
    expect(manifest(manifests, 'Job', name).metadata.annotations).toEqual({ 'pagestream/run': 'archive-2026' })
    expect(backfillName(render({ values: { backfill } }).manifests)).toBe(name)
    expect(backfillName(render({ values: { backfill: { ...backfill, run: 'archive-2027' } } }).manifests)).not.toBe(name)
  })

  it('test with a page of ours that is another one each time', async () => {
    const { manifests } = render()
    const pod = podsOf(manifests).find(({ kind }) => kind === 'Pod')?.pod
    const page = Buffer.from(manifest(manifests, 'ConfigMap', 'docs-pagestream-test').binaryData?.['page.pdf'] ?? '', 'base64')
    expect(page.equals(readFileSync(join(packageRoot(), 'samples/garbage-text-layer.pdf')))).toBe(true)

    const folder = await tempFolder()
    mkdirSync(join(folder, 'sample'))
    mkdirSync(join(folder, 'tmp'))
    writeFileSync(join(folder, 'sample/page.pdf'), page)
    const [program, flag, script = ''] = pod?.initContainers?.[0]?.command ?? []
    expect([program, flag]).toEqual(['node', '-e'])
    const made = () => {
      const { status, stderr } = spawnSync(process.execPath, ['-e', script.replaceAll("'/", `'${folder}/`)], { encoding: 'utf8' })
      expect(status, stderr).toBe(0)
      return readFileSync(join(folder, 'tmp/page.pdf'))
    }
    const first = made()
    expect(first.subarray(0, page.length).equals(page)).toBe(true)
    await new Promise((resolve) => setTimeout(resolve, 2))
    expect(made().equals(first)).toBe(false)
    const parsed = spawnSync(process.execPath, ['dist/bundle/cli.js', 'parse', join(folder, 'tmp/page.pdf'), '--out', join(folder, 'out')], {
      cwd: packageRoot(),
    })
    expect(parsed.status).toBe(0)
  })
})
