import { afterAll, describe, expect, it } from 'vitest'
import { startTinyLlamaServer } from '../../support/vlm/tiny-llama-server.ts'

const server = await startTinyLlamaServer()
const missing = 'missing' in server ? server.missing : undefined
const url = 'missing' in server ? '' : server.url

afterAll(async () => {
  if (!('missing' in server)) await server.close()
})

describe.skipIf(missing !== undefined)(`the tiny model in a real llama-server${missing ? ` (needs ${missing})` : ''}`, () => {
  it('says what it is', async () => {
    const props = (await (await fetch(`${url}/props`)).json()) as { total_slots: number; model_alias: string; modalities: { vision: boolean } }
    expect(props).toMatchObject({ total_slots: 4, model_alias: 'tiny', modalities: { vision: true } })
  })

  it('answers from its script', async () => {
    const body = { messages: [{ role: 'user', content: 'JSON' }], temperature: 0, max_tokens: 100 }
    const answer = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
    const { choices } = (await answer.json()) as { choices: { message: { content: string } }[] }
    expect(choices[0]?.message.content).toBe('{"kind":"title","level":1}<|im_end|>')
  })
})
