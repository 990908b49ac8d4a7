import type { Config } from '../config/config.ts'
import { surroundingEnvironment } from '../config/places.ts'
import type { VlmConfig } from '../config/vlm-config.ts'
import { presentDevice } from '../runtime/devices/pin-device.ts'
import { openHttpEngine } from '../runtime/vlm/engines/http/open-http-engine.ts'
import { openConfiguredServer } from '../runtime/vlm/engines/managed/configured-server.ts'
import { findServers } from '../runtime/vlm/engines/managed/find-servers.ts'
import { installHint } from '../runtime/vlm/engines/managed/install-hint.ts'
import { serverKinds } from '../runtime/vlm/engines/managed/server-plan.ts'
import type { VlmFamily } from '../runtime/vlm/page-reader.ts'
import { failureCodes, toFailure } from '../schema/failure.ts'
import type { Finding } from './finding.ts'

/** A server that is asked how it is answers soon or not at all. */
const answerMs = 5_000

/** What can run vision-language models here, and whether what the configuration asks for is there. */
export async function engineFindings({ vlm, textModel, device }: Config): Promise<Finding[]> {
  return [...(await servers(vlm)), await koffi(vlm), ...(await configured(vlm, device)), await textModelFinding(textModel)]
}

async function servers({ family }: VlmConfig): Promise<Finding[]> {
  const installed = await findServers(surroundingEnvironment())
  return serverKinds.map((kind): Finding => {
    const about = `server ${kind}`
    const found = installed.find((server) => server.kind === kind)
    if (!found) return { about, state: 'absent', detail: 'not installed', fix: installHint(kind, family === 'none' ? undefined : family) }
    const guard = found.hasMineruProcessor === false ? '; mineru-vl-utils, which stops loops of MinerU2.5, is not installed beside it' : ''
    return { about, state: 'ok', detail: `${found.version ?? 'version unknown'}, ${found.command}${guard}` }
  })
}

/** What calls llama.cpp as a library. */
async function koffi({ family, engine }: VlmConfig): Promise<Finding> {
  const about = 'library calls (koffi)'
  const isNeeded = family !== 'none' && engine.kind === 'llama-cpp'
  try {
    const { loadKoffi } = await import('../runtime/vlm/engines/llama/koffi-library.ts')
    await loadKoffi()
    return { about, state: 'ok', detail: 'loads' }
  } catch (error) {
    const fix = `npm install koffi (${process.platform}-${process.arch}); only for vlm.engine.kind llama-cpp`
    return { about, state: isNeeded ? 'missing' : 'absent', detail: toFailure(error).message, fix }
  }
}

/** What runs a model of text alone: the package, and whether the configured model answers. */
async function textModelFinding(config: Config['textModel']): Promise<Finding> {
  const [about, { findLlamaPackage, llamaPackageHint }] = ['text model (node-llama-cpp)', await import('../runtime/text-model/llama-package.ts')]
  if (config.file !== '') {
    return tried(about, async () => {
      const { LocalTextModel } = await import('../runtime/text-model/local-text-model.ts')
      await using model = new LocalTextModel(config)
      await model.start()
      return `${config.file} answers`
    })
  }
  try {
    return { about, state: 'ok', detail: `${findLlamaPackage(config.package)}; no model is configured (textModel.file)` }
  } catch {
    return { about, state: 'absent', detail: 'not installed', fix: `${llamaPackageHint()}; only for textModel.file` }
  }
}

async function configured(vlm: VlmConfig, device: string): Promise<Finding[]> {
  const { family, engine } = vlm
  if (family === 'none') return []
  if (engine.managed) return [await tried('model server', () => wouldStart(family, engine, device))]
  if (engine.kind === 'llama-cpp') return [await tried('llama.cpp', () => known(engine.library))]
  if (engine.urls.length === 0) return [await tried('model server', () => answers(family, vlm, undefined))]
  return Promise.all(engine.urls.map((url) => tried(`model server ${url}`, () => answers(family, vlm, url))))
}

async function tried(about: string, look: () => Promise<string>): Promise<Finding> {
  try {
    return { about, state: 'ok', detail: await look() }
  } catch (error) {
    const { code, message } = toFailure(error)
    return { about, state: 'missing', detail: message, fix: failureCodes[code].fix }
  }
}

async function wouldStart(family: VlmFamily, engine: VlmConfig['engine'], device: string): Promise<string> {
  const { kind } = await openConfiguredServer({ family, engine, device: await presentDevice(device), env: surroundingEnvironment() })
  return `${kind} is started by the worker, for ${family}`
}

async function known(library: string): Promise<string> {
  const [{ libraryFiles, fileSha256 }, { identifyBuild }] = await Promise.all([
    import('../runtime/vlm/engines/llama/library-files.ts'),
    import('../runtime/vlm/engines/llama/identify-build.ts'),
  ])
  const files = libraryFiles(library)
  const [llamaSha256, mtmdSha256] = await Promise.all([fileSha256(files.llama), fileSha256(files.mtmd)])
  try {
    return `build ${identifyBuild({ llamaSha256, mtmdSha256, commit: undefined }).name} in ${library}`
  } catch {
    return `libraries in ${library}, none of the builds that are known by checksum: whether their commit is known is seen when they are loaded`
  }
}

async function answers(family: VlmFamily, { engine }: VlmConfig, url: string | undefined): Promise<string> {
  if (engine.kind === 'llama-cpp') return ''
  await using asked = await openHttpEngine(family, engine.kind, { ...engine, startMs: answerMs }, url === undefined ? [] : [url])
  await asked.start(AbortSignal.timeout(answerMs * 2))
  const load = await asked.load()
  return `${asked.model}, ${asked.slots} slots${load ? `, ${load.running} questions in hand and ${load.waiting} waiting` : ''}`
}
