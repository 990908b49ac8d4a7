import { loadConfig } from '../config/load-config.ts'
import { fetchModel } from '../runtime/models/fetch-model.ts'
import { type ServedModel, shippedManifest } from '../runtime/models/manifest.ts'
import { type ModelState, modelStates } from '../runtime/models/verify-model.ts'
import { toFailure } from '../schema/failure.ts'
import { print } from './print.ts'

interface Flags {
  readonly config?: string
  readonly json?: boolean
}

/** `models list`: always 0. */
export async function listModels(flags: Flags): Promise<number> {
  const { models } = configOf(flags)
  printStates(await modelStates(models.directory, { checksums: false }), flags)
  for (const model of shippedManifest().served) print(flags.json ? JSON.stringify({ ...model, state: 'served' }) : servedLines(model))
  return 0
}

/** `models verify`: 1 when a model that is there is not whole, or one that was named is not there. */
export async function verifyModels(ids: readonly string[], flags: Flags): Promise<number> {
  const { models } = configOf(flags)
  const unknown = reportUnknown(ids)
  if (unknown) return 2
  const states = await modelStates(models.directory, { checksums: true, ...(ids.length > 0 && { ids }) })
  const looked = ids.length > 0 ? states : states.filter((state) => state.state !== 'missing')
  printStates(looked, flags)
  return looked.some((state) => state.state === 'wrong-checksum' || state.state === 'missing') ? 1 : 0
}

/** `models fetch`: 1 when one could not be fetched; the others are. */
export async function fetchModels(ids: readonly string[], flags: Flags): Promise<number> {
  const { models } = configOf(flags)
  if (reportUnknown(ids)) return 2
  let failed = 0
  for (const id of ids.length > 0 ? ids : [models.detector, models.recognizer]) {
    try {
      const path = await fetchModel(id, { directory: models.directory, onProgress: showProgress })
      process.stderr.write('\r\u001b[K')
      print(flags.json ? JSON.stringify({ id, path }) : `${id}: ${path}`)
    } catch (error) {
      failed++
      const failure = toFailure(error)
      process.stderr.write(`${id}: ${failure.code}: ${failure.message}\n`)
    }
  }
  return failed > 0 ? 1 : 0
}

const configOf = (flags: Flags) => loadConfig({ file: flags.config })

function reportUnknown(ids: readonly string[]): boolean {
  const { models, served } = shippedManifest()
  const known = new Set(models.map((model) => model.id))
  const unknown = ids.filter((id) => !known.has(id))
  for (const id of unknown) {
    const model = served.find((each) => each.id === id)
    const why = model
      ? `it is read by an engine, which brings its weights: give ${model.repository ?? 'its folder or name'} to the engine as its model; see docs/engines.md`
      : 'the manifest has no such model; see pagestream models list'
    process.stderr.write(`${id}: ${why}\n`)
  }
  return unknown.length > 0
}

function servedLines({ id, family, title, maker, licence, repository, revision, experimental, engines }: ServedModel): string {
  const where = `by ${maker}, ${repository ?? 'no repository known'}, ${revision === undefined ? 'no revision pinned' : `revision ${revision}`}, no checksums`
  const lines = [`${'served'.padEnd(15)} ${id.padEnd(24)} ${family.padEnd(22)} ${title} (${licence})`, where, `vlm.engine.kind: ${engines.join(', ')}`]
  return [...lines, ...(experimental === undefined ? [] : [`experimental: ${experimental}`])].join(`\n${' '.repeat(16)}`)
}

function showProgress({ file, receivedBytes, totalBytes }: { file: string; receivedBytes: number; totalBytes?: number }): void {
  if (!process.stderr.isTTY) return
  const total = totalBytes ? ` of ${megabytes(totalBytes)}` : ''
  process.stderr.write(`\r\u001b[K${file}: ${megabytes(receivedBytes)}${total}`)
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

function printStates(states: readonly ModelState[], flags: Flags): void {
  for (const state of states) {
    if (flags.json) print(JSON.stringify(state))
    else
      print(
        `${state.state.padEnd(15)} ${state.id.padEnd(24)} ${state.contract.padEnd(22)} ${state.title} (${state.licence})${state.fix ? `\n${' '.repeat(16)}${state.fix}` : ''}`,
      )
  }
}
