import { expect, it } from 'vitest'
import { configSchema } from '../../../../src/config/config.ts'
import { openModel } from '../../../../src/consumers/chain/open-model.ts'
import { Counters } from '../../../../src/telemetry/counters.ts'
import { greyDocuments } from '../../stages/region-recognition/page-maker.ts'

it('a model that reads whole pages is refused where only blocks are asked about', async () => {
  const config = configSchema.parse({ vlm: { family: 'unlimited-ocr', effort: 'low', engine: { urls: ['http://127.0.0.1:9'] } } })
  const opened = openModel(config, { documents: greyDocuments(), counters: new Counters(), events: {} })
  await expect(opened).rejects.toMatchObject({ code: 'configuration' })
})
