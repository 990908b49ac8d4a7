import { InferenceSession, Tensor } from 'onnxruntime-node'
import type { OnnxProvider } from '../../config/config.ts'
import { PagestreamError } from '../../schema/failure.ts'
import { checkProviders, providerBuild, sessionProviders } from './providers.ts'

/** A loaded model with one input and one output of interest, for the thread that loaded it. */
export interface ModelSession {
  /** Runs the model on one planar input `[1, channels, height, width]`. `data` may be reused after the promise settles. */
  run(data: Float32Array, dims: readonly number[]): Promise<SessionOutput>
  /** Shape of the output as the model declares it; -1 where it depends on the input. */
  readonly outputShape: readonly number[]
  release(): Promise<void>
}

export interface SessionOutput {
  readonly data: Float32Array
  readonly dims: readonly number[]
}

/**
 * Loads an ONNX model for one thread. `run` blocks the calling thread: call it in a worker.
 * One thread a session and one session a core beats several threads a session by a third on such small models.
 * Memory patterns are off: they are kept for every input size that ever came.
 * Names of inputs and outputs differ between conversions, so the first of each is taken and its rank checked.
 * Rejects with `model-failed`, and with `configuration` where a provider is missing or does not start: none is passed over.
 */
export async function openSession(
  path: string,
  expected: { readonly inputRank: number; readonly outputRank: number },
  providers: readonly OnnxProvider[] = ['cpu'],
): Promise<ModelSession> {
  checkProviders(providers, await providerBuild())
  const session = await InferenceSession.create(path, {
    executionProviders: sessionProviders(providers),
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    enableMemPattern: false,
    logSeverityLevel: 3,
  }).catch((cause: unknown) => {
    const said = cause instanceof Error ? cause.message : ''
    if (/ExecutionProvider/.test(said)) throw new PagestreamError('configuration', `models.providers (${providers.join(', ')}): ${firstLine(said)}`, { cause })
    throw new PagestreamError('model-failed', `loading the model ${path}: it is no usable ONNX file`, { cause })
  })
  const input = session.inputNames[0]
  const output = session.outputNames[0]
  const outputShape = shapeOf(session.outputMetadata[0])
  const inputShape = shapeOf(session.inputMetadata[0])
  if (input === undefined || output === undefined || inputShape.length !== expected.inputRank || outputShape.length !== expected.outputRank) {
    await session.release()
    throw new PagestreamError(
      'model-failed',
      `loading the model ${path}: its input has the shape [${inputShape}] and its output [${outputShape}], another kind of model was expected`,
    )
  }
  return {
    outputShape,
    async run(data, dims) {
      const fed = new Tensor('float32', data, dims)
      const results = await session.run({ [input]: fed })
      const result = results[output]
      fed.dispose()
      if (!result || !(result.data instanceof Float32Array)) throw new PagestreamError('model-failed', `running the model ${path}: it gave no numbers`)
      return { data: result.data, dims: result.dims }
    },
    release: () => session.release(),
  }
}

const firstLine = (text: string): string => (text.split('\n')[0] ?? '').slice(0, 300)

function shapeOf(metadata: InferenceSession.ValueMetadata | undefined): number[] {
  if (!metadata?.isTensor) return []
  return metadata.shape.map((side) => (typeof side === 'number' ? side : -1))
}
