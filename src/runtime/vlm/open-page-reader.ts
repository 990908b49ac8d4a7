import type { VlmConfig } from '../../config/vlm-config.ts'
import type { VlmPageReader } from './page-reader.ts'
import { TwoStepReader } from './readers/two-step-reader.ts'

export async function openPageReader(_config: VlmConfig): Promise<VlmPageReader> {
  return new TwoStepReader({} as never)
}
