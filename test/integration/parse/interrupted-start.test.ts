import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../../src/config/package-root.ts'
import { parse } from '../../../src/parse/parse.ts'

it('ends at once when it is told to while a server lets it wait at the start', async () => {
  const asked = new AbortController()
  const server = createServer(() => asked.abort()) // and never answers
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const urls = [`http://127.0.0.1:${(server.address() as AddressInfo).port}`]
  const config = { vlm: { family: 'mineru2.5', engine: { kind: 'vllm', urls } } }
  const events = []
  for await (const event of parse(join(packageRoot(), 'samples/scan.pdf'), { config, signal: asked.signal })) events.push(event)
  expect(events).toEqual([])
  server.closeAllConnections()
  server.close()
}, 20_000)
