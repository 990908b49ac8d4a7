import type { TwoStepFamily } from '../../family.ts'
import { patchTokens } from '../patch-tokens.ts'
import { layoutAsk } from './asks.ts'
import { finishPage } from './finish-page.ts'
import { planAsks } from './page-plan.ts'
import { layoutElement, parseLayout } from './parse-layout.ts'

/** MinerU2.5 (arXiv 2509.22186) and MinerU2.5-Pro (arXiv 2604.04771): the same prompts and grammar. Only Pro was trained to describe pictures. */
export const mineruFamily: TwoStepFamily = {
  family: 'mineru2.5',
  steps: 'two',
  imageTokens: patchTokens,
  layoutSize: { width: 1036, height: 1036 },
  layoutAsk,
  layoutElement,
  parseLayout,
  planAsks,
  finishPage,
}
