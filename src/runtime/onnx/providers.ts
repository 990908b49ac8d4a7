import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { InferenceSession } from 'onnxruntime-node'
import type { OnnxProvider } from '../../config/config.ts'
import { PagestreamError } from '../../schema/failure.ts'

/** What a build of ONNX Runtime says it can do; parts that are not `bundled` are files of their own. */
export interface ProviderBuild {
  readonly backends: readonly { readonly name: string; readonly bundled: boolean }[]
  /** Whether the library of a provider lies beside the build. */
  readonly hasLibrary: (provider: OnnxProvider) => boolean
  readonly platform: NodeJS.Platform
  readonly arch: string
}

/**
 * Why a provider cannot be had from a build, and the way out; undefined where it is there. ONNX Runtime itself passes over what it does not
 * know, with a line on its log: a whole archive would be read on the processor, and nobody told.
 */
export function missingProvider(provider: OnnxProvider, build: ProviderBuild): string | undefined {
  const backend = build.backends.find(({ name }) => name === provider)
  if (backend && (backend.bundled || build.hasLibrary(provider))) return undefined
  return `models.providers: ${provider} is not in this build of ONNX Runtime (${build.platform}-${build.arch}); ${wayOut(provider, build)}`
}

function wayOut(provider: OnnxProvider, { platform, arch }: ProviderBuild): string {
  switch (provider) {
    case 'cpu':
      return 'install onnxruntime-node anew'
    case 'cuda':
    case 'tensorrt':
      if (platform !== 'linux' || arch !== 'x64') return `${provider} exists for linux-x64 alone`
      return `install its files with \`npm rebuild onnxruntime-node --onnxruntime-node-install=cuda12\`, and CUDA 12 with cuDNN 9${provider === 'tensorrt' ? ' and TensorRT 10' : ''}`
    case 'coreml':
      return 'coreml exists for macOS alone'
    case 'dml':
      return 'dml exists for Windows alone'
  }
}

/** This process's own build. Loads ONNX Runtime. */
export async function providerBuild(): Promise<ProviderBuild> {
  const { listSupportedBackends } = await import('onnxruntime-node')
  return { backends: listSupportedBackends(), hasLibrary, platform: process.platform, arch: process.arch }
}

function hasLibrary(provider: OnnxProvider): boolean {
  const folder = join(dirname(createRequire(import.meta.url).resolve('onnxruntime-node')), '..', 'bin', 'napi-v6', process.platform, process.arch)
  return existsSync(join(folder, `libonnxruntime_providers_${provider}.so`))
}

/** Throws `configuration` for the first that is missing, naming what to install. */
export function checkProviders(providers: readonly OnnxProvider[], build: ProviderBuild): void {
  for (const provider of providers) {
    const missing = missingProvider(provider, build)
    if (missing) throw new PagestreamError('configuration', missing)
  }
}

/** As a session takes them. The process is pinned to its device, which is therefore the first that a provider sees. */
export const sessionProviders = (providers: readonly OnnxProvider[]): InferenceSession.ExecutionProviderConfig[] =>
  providers.map((name) => (name === 'cpu' || name === 'coreml' ? name : { name, deviceId: 0 }))
