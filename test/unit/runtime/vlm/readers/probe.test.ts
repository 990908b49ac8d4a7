import { expect, it } from 'vitest'
import { unlimitedOcr } from '../../../../../src/runtime/vlm/families/unlimited-ocr/unlimited-ocr.ts'
import { OnePassReader } from '../../../../../src/runtime/vlm/readers/one-pass-reader.ts'
import { fakeAsker } from './fake-asker.ts'

const start = (answer: string) => new OnePassReader({ family: unlimitedOcr, asker: fakeAsker(() => answer), hasWindow: () => true }).start()

it('takes a model that finds blocks on the known page', async () => {
  await expect(start('<|det|>title [64, 60, 500, 120]<|/det|>CATCH 28')).resolves.toBeUndefined()
})

it.each([
  ['nothing', '', 'answers nothing'],
  ['boxes without marks', 'title [64, 60, 500, 120] CATCH 28', 'strips special tokens'],
  ['boxes that run into their kinds', '100 050 900 120title 100 150 480 400text', 'strips special tokens'],
  ['small talk', 'I am happy to help!', 'no layout'],
  ['marks without sense', '<|det|><|det|>', 'another one'],
])('refuses a model that answers %s, and says why', async (_, answer, reason) => {
  await expect(start(answer)).rejects.toMatchObject({ code: 'model-refused', message: expect.stringContaining(reason) })
})
