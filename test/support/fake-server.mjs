#!/usr/bin/env node
// A stand-in for an inference server. What it does is told by the environment:
// FAKE_LOAD_MS: loads so long; FAKE_FAIL: says this and ends with code 1; FAKE_FAILS_LATER: from its second life on;
// FAKE_LIVES: a file that counts its lives; FAKE_CHILD: a file for the process id of a child of its own; FAKE_STUBBORN: hears no SIGTERM;
// FAKE_SILENT_PORT: does not tell its port; FAKE_BUSY_MS: has a question in hand for so long.
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'

const { FAKE_LOAD_MS = '0', FAKE_FAIL, FAKE_FAILS_LATER, FAKE_LIVES, FAKE_CHILD, FAKE_STUBBORN, FAKE_SILENT_PORT, FAKE_BUSY_MS = '0' } = process.env
const port = Number(process.argv[process.argv.indexOf('--port') + 1])
const lives = FAKE_LIVES && existsSync(FAKE_LIVES) ? readFileSync(FAKE_LIVES, 'utf8').trim().split('\n').length : 0
if (FAKE_LIVES)
  appendFileSync(
    FAKE_LIVES,
    `${JSON.stringify({ pid: process.pid, port, env: { CUDA_VISIBLE_DEVICES: process.env.CUDA_VISIBLE_DEVICES }, arguments: process.argv.slice(2) })}\n`,
  )

console.error('starting up')
if (FAKE_FAIL || (FAKE_FAILS_LATER && lives > 0)) {
  console.error(FAKE_FAIL ?? FAKE_FAILS_LATER)
  process.exit(1)
}
if (FAKE_STUBBORN) process.on('SIGTERM', () => console.error('not yet'))
if (FAKE_CHILD)
  writeFileSync(FAKE_CHILD, `${spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], { stdio: 'inherit' }).pid}`)

const readyAt = Date.now() + Number(FAKE_LOAD_MS)
let hangs = false
const server = createServer((request, response) => {
  if (request.url === '/die') return process.exit(9)
  if (request.url === '/metrics') {
    const busy = Date.now() < readyAt + Number(FAKE_BUSY_MS) ? 1 : 0
    return response.end(`llamacpp:requests_processing ${busy}\nllamacpp:requests_deferred 0\n`)
  }
  if (request.url === '/v1/models') return response.end(JSON.stringify({ data: [{ id: process.argv[process.argv.indexOf('--alias') + 1] }] }))
  if (request.url === '/hang') hangs = true
  if (hangs && request.url === '/health') return
  response.writeHead(Date.now() < readyAt ? 503 : 200).end('{}')
})
server.once('error', (error) => {
  console.error(`error: couldn't bind: ${error.code}`)
  process.exit(1)
})
server.listen(port, '127.0.0.1', () => {
  console.error('loading weights   0%\rloading weights 100%')
  if (!FAKE_SILENT_PORT) console.error(`listening on http://127.0.0.1:${server.address().port}`)
})
