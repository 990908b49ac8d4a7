import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, request, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadConfig } from '../../../src/config/load-config.ts'
import { fetchHttps, type Network } from '../../../src/inputs/https-file.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(5000, 'x')])

/** A server on 127.0.0.1, which counts as public here; 127.0.0.2 counts as private. Names are resolved by `answers`, in turn. */
async function web(handle: (path: string, response: ServerResponse) => void, names: Record<string, string[]> = {}) {
  const asked: string[] = []
  const http = createServer((incoming, response) => {
    asked.push(`${incoming.headers.host}${incoming.url}`)
    handle(incoming.url ?? '', response)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const address = http.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const network: Network = {
    lookup: (host, _options, callback) => {
      const answers = names[host] ?? ['127.0.0.1']
      const found = answers.length > 1 ? answers.shift() : answers[0]
      callback(null, [{ address: found ?? '', family: 4 }])
    },
    request: (options, take) => request({ ...options, port }, take),
    isRefused: (found, privateAddresses) => !privateAddresses && found !== '127.0.0.1',
  }
  const path = join(await tempFolder(), 'fetched')
  const get = (url: string, more: object = {}, maxBytes = 1e6) => {
    const { inputs } = loadConfig({ env: {}, overrides: { inputs: { hosts: ['a.example', 'b.example', '127.0.0.2'], ...more } } })
    return fetchHttps(new URL(url), path, maxBytes, inputs, network)
  }
  const close = async () => {
    http.closeAllConnections()
    http.close()
  }
  return { get, path, asked, [Symbol.asyncDispose]: close }
}

const to = (location: string) => (_: string, response: ServerResponse) => void response.writeHead(302, { location }).end()

it('fetches a document, over redirects to hosts that are listed', async () => {
  await using site = await web((path, response) => (path === '/1' ? to('https://b.example/2')(path, response) : void response.end(pdf)))
  await site.get('https://a.example/1')
  expect(Buffer.compare(await readFile(site.path), pdf)).toBe(0)
  expect(site.asked).toEqual(['a.example/1', 'b.example/2'])
})

const refusals: [string, (path: string, response: ServerResponse) => void, string, object?, number?][] = [
  ['a redirect to a host that is not listed', to('https://evil.example/'), 'input-forbidden'],
  ['a redirect to http', to('http://a.example/'), 'input-forbidden'],
  ['a redirect that holds a password', to('https://u:hunter2@a.example/'), 'input-forbidden'],
  ['a redirect to a private address', to('https://127.0.0.2/'), 'input-forbidden'],
  ['redirects without end', to('/again'), 'input-forbidden'],
  ['a redirect where none are allowed', to('/again'), 'input-forbidden', { maxRedirects: 0 }],
  ['what is declared too large', (_, r) => void r.writeHead(200, { 'content-length': 5009 }).end(pdf), 'document-too-large', {}, 5000],
  ['what turns out too large', (_, r) => void r.write(pdf, () => r.end(pdf)), 'document-too-large', {}, 6000],
  [
    'what is no document, whatever it is called',
    (_, r) => void r.writeHead(200, { 'content-type': 'application/pdf' }).end('<html>'),
    'document-not-supported',
  ],
  ['what comes too slowly', (_, r) => void r.write(pdf), 'input-unreachable', { fetchTimeoutMs: 300 }],
  ['what breaks off', (_, r) => void r.writeHead(200, { 'content-length': 9000 }).write(pdf, () => r.destroy()), 'input-unreachable'],
  ['what is not there', (_, r) => void r.writeHead(404).end(), 'document-not-found'],
  ['a server in trouble', (_, r) => void r.writeHead(503).end(), 'input-unreachable'],
]

it.each(refusals)('refuses %s, leaves no file and says nothing of the rest of the URL', async (_, handle, code, more, maxBytes) => {
  await using site = await web(handle)
  const failure = await site.get('https://a.example/a?sig=hidden', more, maxBytes).catch((error: unknown) => error)
  expect(failure).toMatchObject({ code, message: expect.not.stringMatching(/hidden|hunter2/) })
  expect(existsSync(site.path)).toBe(false)
})

it('asks nothing of a name that leads to a private address', async () => {
  await using site = await web((_, response) => void response.end(pdf), { 'a.example': ['127.0.0.2'] })
  await expect(site.get('https://a.example/')).rejects.toMatchObject({ code: 'input-forbidden' })
  expect(site.asked).toEqual([])
})

it('does not connect when the name leads elsewhere by then', async () => {
  await using site = await web((_, response) => void response.end(pdf), { 'a.example': ['127.0.0.1', '127.0.0.2'] })
  await expect(site.get('https://a.example/')).rejects.toMatchObject({ code: 'input-forbidden' })
  expect(site.asked).toEqual([])
})
