import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { packageRoot } from '../../../src/config/package-root.ts'
import { cacheFolder } from '../../../src/config/places.ts'
import type { Manifest } from './manifest.ts'

const versions = JSON.parse(readFileSync(join(packageRoot(), 'scripts/tools/versions.json'), 'utf8')) as { readonly helm: string }

export const chartFolder = join(packageRoot(), 'deploy/helm/pagestream')

const cached = join(cacheFolder(), `helm-${versions.helm}`, 'helm')
const helm = existsSync(cached) ? cached : 'helm'
const isThere = spawnSync(helm, ['version', '--short']).status === 0
/** What a test that needs it is called where there is none. */
export const helmMissing = isThere ? undefined : 'helm: node scripts/tools/helm.mjs'

/** Helm says that it is as old as the client library that it was built with. */
const cluster = ['--kube-version', '1.33.0']

export interface Rendering {
  /** Files of the chart, such as values-gpu.yaml, the later ones going before. */
  readonly presets?: readonly string[]
  /** Goes before all of them. */
  readonly values?: object
}

export interface Rendered {
  readonly status: number | null
  /** What helm complained of. */
  readonly said: string
  readonly manifests: readonly Manifest[]
}

/** Presets that stand alone, and those that are put behind another. */
export const presets = readdirSync(chartFolder).filter((name) => /^values-.*\.yaml$/.test(name))

function run(args: readonly string[], { presets: files = [], values = {} }: Rendering) {
  const named = [...files, 'ci/needed-values.yaml'].flatMap((name) => ['-f', join(chartFolder, name)])
  return spawnSync(helm, [...args, ...named, '-f', '-', ...cluster], { input: JSON.stringify(values), encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 })
}

export const lint = (rendering: Rendering) => run(['lint', '--strict', chartFolder], rendering)

/** `helm template`: all that would be installed, hooks and tests too. The release is called `docs`, in the namespace `reading`. */
export function render(rendering: Rendering = {}): Rendered {
  const { status, stdout, stderr } = run(['template', 'docs', chartFolder, '--namespace', 'reading'], rendering)
  return { status, said: stderr, manifests: status === 0 ? manifestsIn(stdout) : [] }
}

function manifestsIn(text: string): Manifest[] {
  return parseAllDocuments(text).flatMap((document) => {
    if (document.errors.length > 0) throw document.errors[0]
    const value = document.toJS() as Manifest | null
    return value ? [value] : []
  })
}

/** The chart as it would be published. */
export const packageChart = (folder: string) => execFileSync(helm, ['package', chartFolder, '--destination', folder], { encoding: 'utf8' })

/** Tests that need helm, skipped by name where there is none; where `.ci/run` runs them it has to be there. */
export function describeHelm(name: string, tests: () => void): void {
  if (helmMissing && process.env.NEEDS_HELM) throw new Error(`tests of the chart need ${helmMissing}`)
  describe.skipIf(!isThere)(helmMissing ? `${name} (needs ${helmMissing})` : name, tests)
}
