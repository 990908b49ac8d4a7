import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { KafkaBus } from '../../dist/consumers/kafka/kafka-bus.js'
import { Submitter } from '../../dist/inputs/submitter.js'
import { openStore } from '../../dist/store/open-store.js'
import { generatedPdf } from '../generate.mjs'

const longestMs = 120_000
let seed = 1

/** Documents of one lane: made in advance, sent, and counted when they end. */
export class LaneLoad {
  #made = []
  #waiting = new Map()
  #onEnd = new Set()
  underWay = 0
  /** Pages that have come to their end. */
  pages = 0

  static async connect(config, lane, folder) {
    const load = new LaneLoad()
    load.lane = lane
    load.folder = folder
    load.bus = await KafkaBus.connect(config.kafka, lane)
    load.submitter = new Submitter(config, await openStore(config.store), load.bus)
    const on = {
      assigned: () => {},
      revoked: () => {},
      fatal: (error) => {
        throw error
      },
    }
    await load.bus.subscribe(
      { group: `bench-pages-${lane}`, topics: ['pages.recognized'], from: 'latest' },
      {
        ...on,
        records: ({ records }) => {
          load.pages += records.length
        },
      },
    )
    await load.bus.subscribe(
      { group: `bench-documents-${lane}`, topics: ['documents.assembled'], from: 'latest' },
      {
        ...on,
        records({ records }) {
          for (const { key } of records) load.#ended(key)
        },
      },
    )
    return load
  }

  /** `documents.assembled` has no lanes: what others have sent is not ours. */
  #ended(id) {
    const done = this.#waiting.get(id)
    if (!done) return
    this.#waiting.delete(id)
    this.underWay--
    done()
    for (const listener of this.#onEnd) listener()
  }

  async make(count, pages) {
    const made = []
    for (let i = 0; i < count; i++) {
      const name = `${this.lane}-${seed++}.pdf`
      const path = join(this.folder, name)
      writeFileSync(path, generatedPdf(pages, seed))
      made.push(await this.submitter.identify(path, name))
    }
    return made
  }

  /** Makes documents now, so that making them does not disturb what is measured. */
  async stock(count, pages) {
    this.#made.push(...(await this.make(Math.max(0, count - this.#made.length), pages)))
  }

  async #send(submitted, done) {
    this.#waiting.set(submitted.documentId, done)
    this.underWay++
    await this.submitter.send(submitted)
  }

  async sendAndWait(submitted) {
    const done = new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`a document took longer than ${longestMs} ms`)), longestMs)
      this.#send(submitted, () => {
        clearTimeout(timer)
        resolve()
      }).catch(reject)
    })
    await done
  }

  /** Sends until so many documents are under way. */
  async fill(count, pages) {
    while (this.underWay < count) await this.#send(this.#made.pop() ?? (await this.make(1, pages))[0], () => {})
  }

  /** Until so many more documents have ended. */
  ended(count) {
    return new Promise((resolve) => {
      let left = count
      const listener = () => {
        if (left-- > 1) return
        this.#onEnd.delete(listener)
        resolve()
      }
      if (count === 0) resolve()
      else this.#onEnd.add(listener)
    })
  }

  close() {
    return this.bus.close()
  }
}
