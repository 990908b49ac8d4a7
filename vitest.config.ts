import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { skippedTestsReporter } from './test/support/skipped-tests-reporter.ts'

const root = dirname(fileURLToPath(import.meta.url))

/**
 * Tests import the sources by path and run the build: worker threads cannot load TypeScript,
 * and what is tested is then what is shipped. `npm test` builds first.
 */
const buildInsteadOfSource = {
  name: 'build-instead-of-source',
  enforce: 'pre' as const,
  resolveId(id: string, importer?: string) {
    if (!importer || !id.startsWith('.')) return null
    const target = resolve(dirname(importer), id)
    const inSource = relative(join(root, 'src'), target)
    if (inSource.startsWith('..')) return null
    const built = join(root, 'dist', inSource.replace(/\.ts$/, '.js'))
    return existsSync(built) ? built : null
  },
}

const project = (name: string, testTimeout: number) => ({
  plugins: [buildInsteadOfSource],
  test: { name, include: [`test/${name}/**/*.test.ts`], testTimeout, hookTimeout: testTimeout },
})

const kafka = project('kafka', 120_000)
/** One broker serves the whole tier. */
const overKafka = { ...kafka, test: { ...kafka.test, globalSetup: ['test/support/kafka/shared-broker.ts'] } }

/** Where a machine reads the results: set by `.ci/run`. */
const resultsFile = process.env.TEST_RESULTS

export default defineConfig({
  test: {
    reporters: ['default', skippedTestsReporter, ...(resultsFile ? [['json', { outputFile: resultsFile }] as [string, Record<string, unknown>]] : [])],
    projects: [
      project('unit', 20_000),
      project('integration', 120_000),
      overKafka,
      project('chaos', 300_000),
      project('e2e', 300_000),
      project('helm', 60_000),
    ],
    server: { deps: { external: [/\/dist\//, /node_modules/] } },
  },
})
