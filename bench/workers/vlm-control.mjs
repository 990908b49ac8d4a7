// The bare loop: sends bodies that were made beforehand and reads the answers to their end, without a look at them. As many questions are under way as there
// are slots; those about the blocks of a page that was begun go before the layouts of others. Requests and answers as lines of JSON.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Pool } from 'undici'

const headers = { 'content-type': 'application/json' }

const ask = (pool, body) =>
  new Promise((resolve, reject) => {
    let status
    pool.dispatch(
      { method: 'POST', path: '/v1/chat/completions', headers, body },
      {
        onRequestStart() {},
        onResponseStart(_, code) {
          status = code
        },
        onResponseData() {},
        onResponseEnd: () => (status === 200 ? resolve() : reject(new Error(`status ${status}`))),
        onResponseError: (_, error) => reject(error),
      },
    )
  })

/** `pages`: lists of bodies, the layout first. */
async function sendAll(pool, pages, slots) {
  const layouts = [...pages]
  const blocks = []
  let [open, underWay] = [pages.length, 0]
  await new Promise((resolve, reject) => {
    const send = async (body, after) => {
      underWay++
      await ask(pool, body)
      underWay--
      after()
      if (open === 0) resolve()
      else fill()
    }
    const fill = () => {
      while (underWay < slots) {
        const block = blocks.shift()
        const page = block ? undefined : layouts.shift()
        if (block) send(block.body, () => --block.left.count === 0 && open--).catch(reject)
        else if (page) {
          const left = { count: page.length - 1 }
          send(page[0], () => blocks.push(...page.slice(1).map((body) => ({ body, left })))).catch(reject)
        } else return
      }
    }
    fill()
  })
}

for await (const line of createInterface({ input: process.stdin })) {
  let answer
  try {
    const { url, slots, recorded, pages } = JSON.parse(line)
    const known = recorded.map((file) =>
      readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((body) => Buffer.from(body)),
    )
    const pool = new Pool(url, { pipelining: 1, headersTimeout: 0, bodyTimeout: 0 })
    const [cpu, started] = [process.cpuUsage(), performance.now()]
    await sendAll(
      pool,
      Array.from({ length: pages }, (_, i) => known[i % known.length]),
      slots,
    )
    const used = process.cpuUsage(cpu)
    answer = { wallMs: performance.now() - started, cpuMs: (used.user + used.system) / 1000 }
    await pool.close()
  } catch (error) {
    answer = { error: error instanceof Error ? error.message : String(error) }
  }
  process.stdout.write(`answer ${JSON.stringify(answer)}\n`)
}
process.exit(0)
