import { describe, expect, it } from 'vitest'
import { refusalOf } from '../../../../../../src/runtime/vlm/engines/http/refusal.ts'

const refuse = (status: number, body: unknown, contentType = 'application/json') =>
  refusalOf('asking the engine', { status, contentType, body: typeof body === 'string' ? body : JSON.stringify(body), address: 'http://h:1' })

const saying = (message: string, code?: number) => ({ error: { message, type: 'T', param: null, code } })

describe('refusalOf', () => {
  it.each([
    [400, saying('Failed to load image or audio file'), 'picture-refused'],
    [400, saying('the request exceeds the available context size'), 'picture-refused'],
    [400, saying('The model `x` does not exist'), 'engine-refused'],
    [401, saying('Invalid API Key'), 'engine-refused'],
    [403, {}, 'engine-refused'],
    [404, saying('The model `x` does not exist.'), 'engine-refused'],
    [404, { detail: 'Not Found' }, 'engine-refused'],
    [405, { detail: 'Method Not Allowed' }, 'engine-refused'],
    [408, '', 'engine-timeout'],
    [413, 'Request Entity Too Large', 'picture-refused'],
    [422, { detail: 'Unexpected keys' }, 'picture-refused'],
    [429, saying('slow down'), 'engine-busy'],
    [500, saying('EngineCore encountered an issue'), 'engine-failed'],
    [500, saying('image input is not supported - hint: if this is unexpected, you may need to provide the mmproj'), 'engine-refused'],
    [500, saying('CUDA out of memory. Tried to allocate 2.00 GiB'), 'engine-memory'],
    [501, saying('This server does not support metrics endpoint.'), 'engine-refused'],
    [502, '<html>Bad Gateway</html>', 'engine-unreachable'],
    [503, saying('Loading model'), 'engine-busy'],
    [504, '', 'engine-timeout'],
    [302, '', 'engine-refused'],
    [200, '<!DOCTYPE html><html></html>', 'engine-refused'],
    [404, '<html>nginx</html>', 'engine-refused'],
    [200, '{"choices":[]}', 'answer-invalid'],
    [200, { object: 'error', message: 'busy', code: 429 }, 'engine-busy'],
    [200, { error: 'broken' }, 'engine-failed'],
  ])('makes of %i with %j: %s', (status, body, code) => {
    expect(refuse(status, body).code).toBe(code)
  })

  it.each([
    `1 validation error, 'input': 'the model was not found in any drawer'`,
    `this prompt is refused. ${'It was long. '.repeat(60)} the model does not exist`,
  ])('takes what a server repeats of a question for no word of its own: %s', (message) => {
    expect(refuse(400, saying(message)).code).toBe('picture-refused')
  })

  it('says what to do about what the configuration can mend', () => {
    expect(refuse(401, {}).message).toMatch(/vlm\.engine\.apiKeyFile/)
    expect(refuse(404, saying('The model `x` does not exist.')).message).toMatch(/vlm\.engine\.model/)
    expect(refuse(404, { detail: 'Not Found' }).message).toMatch(/vlm\.engine\.urls/)
    expect(refuse(200, '<html>', 'text/html').message).toMatch(/web page.*vlm\.engine\.urls/)
  })

  it('repeats the beginning of what the server says, and nothing of the question', () => {
    const { message } = refuse(400, saying(`bad\nfield [{'loc': 'x', 'input': 'the text of a page'}] ${'y'.repeat(1000)}`))
    expect(message).toContain('bad field')
    expect(message).not.toContain('text of a page')
    expect(message.length).toBeLessThan(400)
    expect(refuse(400, saying('cannot read data:image/png;base64,AAAA')).message).not.toContain('AAAA')
  })
})
