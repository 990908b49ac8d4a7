import type { OnnxProvider } from '../../config/config.ts'
import type { Picture } from '../document-reader.ts'
import type { LocatedModel } from '../models/locate-model.ts'
import type { ModelSession } from '../onnx/session.ts'
import { openSession } from '../onnx/session.ts'
import type { FoundText } from '../text-reader.ts'
import { detectorInput } from './detector-input.ts'
import { regionsOfMap } from './text-map.ts'

/** Finds writing; blocks its thread. */
export class Detector {
  readonly #session: ModelSession

  private constructor(session: ModelSession) {
    this.#session = session
  }

  /** Rejects with `model-failed` when the file is no detector: `[N, 3, H, W]` in, `[N, 1, H, W]` out. */
  static async open(model: LocatedModel, providers: readonly OnnxProvider[]): Promise<Detector> {
    return new Detector(await openSession(model.path, { inputRank: 4, outputRank: 4 }, providers))
  }

  async find(picture: Picture, longSidePx: number): Promise<FoundText> {
    const input = detectorInput(picture, longSidePx)
    const output = await this.#session.run(input.data, [1, 3, input.height, input.width])
    const map = output.data
    let bestProbability = 0
    for (const probability of map) if (probability > bestProbability) bestProbability = probability
    return { regions: regionsOfMap(map, input.width, input.height, picture.width, picture.height), bestProbability }
  }
}
