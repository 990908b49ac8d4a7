import type { Answer } from '../vlm/engine.ts'
import type { PlannedAsk } from '../vlm/family.ts'

/** A language model that is asked about text alone, one question at a time. */
export interface TextModel extends AsyncDisposable {
  /**
   * Loads it and tries it with a known question. Rejects with `configuration` for a file that is not there, `engine-missing` for a package that is not,
   * `engine-refused` for what is no model or answers nothing that keeps to a schema, `engine-failed`, `cancelled`.
   */
  start(signal?: AbortSignal): Promise<void>
  /**
   * Waits for its turn. The answer keeps to the question's `answerSchema` as far as it goes. Rejects with `engine-timeout`, `picture-refused` for a
   * prompt that is too long for the model, `engine-failed`, `engine-refused` once its process has ended too often, `cancelled`.
   */
  askText(ask: PlannedAsk, signal: AbortSignal): Promise<Answer>
}
