import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PagestreamError } from '../../schema/failure.ts'

const name = 'node-llama-cpp'
/** The version that was tried. */
const version = '3.21.1'

/** Its binaries for the CPU, of each platform that has some; those for GPUs come with an installation that leaves nothing out. */
const binaries: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-arm64': 'mac-arm64-metal',
  'darwin-x64': 'mac-x64',
  'win32-x64': 'win-x64',
  'win32-arm64': 'win-arm64',
}

/** How the package is installed on this platform, and nothing of it compiled or fetched from elsewhere. */
export function llamaPackageHint(platform = `${process.platform}-${process.arch}`): string {
  const binary = binaries[platform]
  if (!binary) return `${name} has no binaries for ${platform}`
  return `npm install --omit=optional --ignore-scripts ${name}@${version} @node-llama-cpp/${binary}@${version} (${platform}, 83 MB; for a GPU npm install ${name}@${version})`
}

/**
 * Where the package is, as it is imported: in `folder` or above it, or where the packages of pagestream are when that is empty. Throws `engine-missing`.
 */
export function findLlamaPackage(folder: string): string {
  const from = folder === '' ? import.meta.url : join(resolve(folder), 'package.json')
  try {
    return pathToFileURL(createRequire(from).resolve(name)).href
  } catch (cause) {
    const where = folder === '' ? '' : ` in textModel.package (${folder})`
    throw new PagestreamError('engine-missing', `starting the text model: the package ${name} is not there${where}: ${llamaPackageHint()}`, { cause })
  }
}

/** What is used of the package. */
export interface LlamaPackage {
  getLlama(options: {
    readonly gpu: 'auto' | false
    readonly build: 'never'
    readonly skipDownload: true
    readonly progressLogs: false
    readonly logLevel: 'error'
    readonly maxThreads: number
  }): Promise<Llama>
  readonly LlamaChatSession: new (options: { readonly contextSequence: LlamaSequence; readonly systemPrompt: string }) => LlamaSession
}

export interface Llama {
  loadModel(options: { readonly modelPath: string }): Promise<LlamaModel>
  createGrammarForJsonSchema(schema: object): Promise<object>
}

export interface LlamaModel {
  readonly trainContextSize: number
  tokenize(text: string): readonly number[]
  /** `contextSize`: tokens. */
  createContext(options: { readonly contextSize: number; readonly sequences: 1 }): Promise<LlamaContext>
}

export interface LlamaContext {
  getSequence(): LlamaSequence
  dispose(): Promise<void>
}

export interface LlamaSequence {
  readonly tokenMeter: { readonly usedInputTokens: number; readonly usedOutputTokens: number }
}

export interface LlamaSession {
  promptWithMeta(
    prompt: string,
    options: {
      readonly grammar?: object
      readonly temperature: 0
      readonly maxTokens: number
      readonly budgets: { readonly thoughtTokens: 0 }
      readonly onToken: () => void
    },
  ): Promise<{ readonly responseText: string; readonly stopReason: string }>
}
