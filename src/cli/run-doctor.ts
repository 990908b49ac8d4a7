import { access, constants, statfs } from 'node:fs/promises'
import { availableParallelism, cpus, freemem, totalmem } from 'node:os'
import { type Config, configSchema } from '../config/config.ts'
import { ConfigError, loadConfig } from '../config/load-config.ts'
import { modelStates } from '../runtime/models/verify-model.ts'
import { toFailure } from '../schema/failure.ts'
import { makeFolder } from '../store/make-folder.ts'
import { deviceFindings } from './doctor-devices.ts'
import { engineFindings } from './doctor-engines.ts'
import type { Finding } from './finding.ts'
import { print } from './print.ts'

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`

/** Prints a line for everything that a run needs; 1 when something needed is missing. */
export async function runDoctor(flags: { config?: string; out: string; json?: boolean }): Promise<number> {
  const { config, finding } = readConfig(flags.config)
  const findings: Finding[] = [
    ...[node(), processor(), memory(), finding, ...(await deviceFindings(config)), ...(await engines()), ...(await models(config))],
    ...[...(await engineFindings(config)), await store(flags.out)],
  ]
  for (const each of findings) {
    if (flags.json) print(JSON.stringify(each))
    else print(`${each.state.padEnd(8)} ${each.about.padEnd(28)} ${each.detail}${each.fix ? `\n${' '.repeat(38)}→ ${each.fix}` : ''}`)
  }
  return findings.some((each) => each.state === 'missing') ? 1 : 0
}

function readConfig(file: string | undefined): { config: Config; finding: Finding } {
  try {
    return { config: loadConfig({ file }), finding: { about: 'configuration', state: 'ok', detail: file ?? 'defaults and environment' } }
  } catch (error) {
    const detail = error instanceof ConfigError ? error.problems.join('; ') : String(error)
    return { config: configSchema.parse({}), finding: { about: 'configuration', state: 'missing', detail, fix: 'see docs/config.md' } }
  }
}

function node(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const good = major > 20 || (major === 20 && minor >= 19)
  return { about: 'Node', state: good ? 'ok' : 'missing', detail: process.version, ...(!good && { fix: 'install Node 20.19 or later' }) }
}

const processor = (): Finding => ({ about: 'processor', state: 'ok', detail: `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? process.arch}` })

function memory(): Finding {
  const good = totalmem() >= 2e9
  return {
    about: 'memory',
    state: good ? 'ok' : 'missing',
    detail: `${gigabytes(freemem())} free of ${gigabytes(totalmem())}`,
    ...(!good && { fix: '2 GB are needed; set workers to 1' }),
  }
}

async function engines(): Promise<Finding[]> {
  return Promise.all([
    tryEngine('PDF engine (PDFium)', '@embedpdf/pdfium', async () => {
      await import('../runtime/documents/pdf/engine-module.ts').then((module) => module.engineModule())
      return 'compiles'
    }),
    tryEngine('picture decoder (sharp)', 'sharp', async () => {
      const { versions } = await import('../runtime/documents/pictures/sharp.ts').then((module) => module.loadSharp())
      return `libvips ${versions.vips}`
    }),
    tryEngine('model runtime (ONNX)', 'onnxruntime-node', async () => {
      await import('../runtime/onnx/session.ts')
      return 'loads'
    }),
  ])
}

async function tryEngine(about: string, packageName: string, load: () => Promise<string>): Promise<Finding> {
  try {
    const detail = await load()
    return { about, state: 'ok', detail: `${packageName}, ${detail}` }
  } catch (error) {
    return {
      about,
      state: 'missing',
      detail: error instanceof Error ? error.message : String(error),
      fix: `npm install ${packageName} (${process.platform}-${process.arch})`,
    }
  }
}

async function models(config: Config): Promise<Finding[]> {
  const needed = new Set([config.models.detector, config.models.recognizer])
  const states = await modelStates(config.models.directory, { checksums: true })
  return states
    .filter((state) => needed.has(state.id) || state.state !== 'missing')
    .map((state) => {
      const good = state.state === 'ok' || state.state === 'unchecked'
      const missing = needed.has(state.id) ? 'missing' : 'absent'
      return {
        about: `model ${state.id}`,
        state: good ? 'ok' : missing,
        detail: `${state.title}, ${state.state === 'ok' ? 'checksum right' : state.state}`,
        ...(state.fix && { fix: state.fix }),
      }
    })
}

async function store(folder: string): Promise<Finding> {
  try {
    makeFolder(folder)
    await access(folder, constants.W_OK)
    const { bavail, bsize } = await statfs(folder)
    return { about: 'output folder', state: 'ok', detail: `${folder}, ${gigabytes(bavail * bsize)} free` }
  } catch (error) {
    return {
      about: 'output folder',
      state: 'missing',
      detail: toFailure(error, folder).message,
      fix: 'name a folder that may be written with --out',
    }
  }
}
