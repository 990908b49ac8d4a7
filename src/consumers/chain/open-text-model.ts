import type { Config } from '../../config/config.ts'
import type { TextModel } from '../../runtime/text-model/text-model.ts'

/**
 * The text model of the configuration, started; undefined where there is none. Its code is loaded when there is one. Rejects with `configuration`,
 * `engine-missing`, `engine-refused`, `engine-failed`, `cancelled`.
 */
export async function openTextModel({ textModel: config }: Pick<Config, 'textModel'>, signal?: AbortSignal): Promise<TextModel | undefined> {
  if (config.file === '') return undefined
  const { LocalTextModel } = await import('../../runtime/text-model/local-text-model.ts')
  const model = new LocalTextModel(config)
  await model.start(signal)
  return model
}
