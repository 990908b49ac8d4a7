import { availableParallelism } from 'node:os'
import type { Config } from '../../config/config.ts'
import { PagestreamError } from '../../schema/failure.ts'
import type { TextRegion } from '../../schema/page.ts'
import type { Picture } from '../document-reader.ts'
import { locateModel } from '../models/locate-model.ts'
import { WorkerPool } from '../onnx/worker-pool.ts'
import type { FoundText, LineReader, LineText, TextFinder } from '../text-reader.ts'
import { detectorSize } from './detector-input.ts'
import { lineBatches } from './line-batches.ts'
import { sharePicture } from './shared-picture.ts'
import type { OcrModels, OcrReply, OcrRequest } from './worker-protocol.ts'

/** Finder and reader over one pool of workers. Loads nothing before the first picture; stop it with `await using`. */
export interface PpOcr extends AsyncDisposable {
  readonly finder: TextFinder
  readonly reader: LineReader
  /** Loads both models in every worker and runs them until they are fast: for services, not for one page. */
  warmUp(): Promise<void>
}

/** Finished pages first: reading ends a page, finding begins one. */
const priorities = { read: 1, find: 2 } as const

/** A worker with both models takes about this long to start. */
const startCostMs = 400
const batchMs = 200
const findMsPerMegapixel = 220
/** Pages in flight are bounded by the stages; 1000 regions a page make at most a few hundred jobs. */
const maxWaiting = 20_000

export type PpOcrConfig = Pick<Config, 'models' | 'workers'>

/**
 * PP-OCR with the models of the configuration: text detection by a probability map, line recognition with CTC.
 * Does not look for the models before they are needed; `find` and `read` reject with `model-missing` or `model-failed`.
 */
export function ppOcr(config: PpOcrConfig): PpOcr {
  let pool: WorkerPool<OcrRequest, OcrReply> | undefined
  let stopped = false
  const open = (): WorkerPool<OcrRequest, OcrReply> => {
    if (stopped) throw new PagestreamError('cancelled', 'running a model: its workers are stopped')
    pool ??= new WorkerPool({
      entry: new URL('./pp-ocr-worker.js', import.meta.url),
      workerData: locateModels(config),
      workers: config.workers || availableParallelism(),
      startCostMs,
      maxWaiting,
    })
    return pool
  }
  return {
    finder: { model: config.models.detector, find: async (picture, options, signal) => find(open(), picture, options.longSidePx, signal) },
    reader: { model: config.models.recognizer, read: async (picture, regions, signal) => read(open, picture, regions, signal) },
    async warmUp() {
      await open().runOnEach({ kind: 'warm-up' }, startCostMs)
    },
    async [Symbol.asyncDispose]() {
      stopped = true
      await pool?.[Symbol.asyncDispose]()
    },
  }
}

const locateModels = ({ models }: PpOcrConfig): OcrModels => ({
  detector: locateModel(models.detector, 'pp-ocr-det', models.directory),
  recognizer: locateModel(models.recognizer, 'pp-ocr-rec', models.directory),
  providers: models.providers,
})

async function find(pool: WorkerPool<OcrRequest, OcrReply>, picture: Picture, longSidePx: number, signal?: AbortSignal): Promise<FoundText> {
  const { width, height } = detectorSize(picture.width, picture.height, longSidePx)
  const costMs = (findMsPerMegapixel * width * height) / 1e6
  const reply = await pool.run({ kind: 'find', picture: sharePicture(picture), longSidePx }, { priority: priorities.find, costMs, ...(signal && { signal }) })
  if (reply.kind !== 'found') throw unexpected(reply)
  return reply.found
}

async function read(open: () => WorkerPool<OcrRequest, OcrReply>, picture: Picture, regions: readonly TextRegion[], signal?: AbortSignal): Promise<LineText[]> {
  if (regions.length === 0) return []
  const pool = open()
  const shared = sharePicture(picture)
  const lines = new Array<LineText>(regions.length)
  const jobs = lineBatches(regions, picture, batchMs).map(async ({ indices, costMs }) => {
    const wanted = indices.map((index) => regions[index] as TextRegion)
    const reply = await pool.run({ kind: 'read', picture: shared, regions: wanted }, { priority: priorities.read, costMs, ...(signal && { signal }) })
    if (reply.kind !== 'lines') throw unexpected(reply)
    indices.forEach((index, i) => {
      lines[index] = reply.lines[i] as LineText
    })
  })
  const results = await Promise.allSettled(jobs)
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
  return lines
}

const unexpected = (reply: OcrReply): PagestreamError => new PagestreamError('internal', `running a model: the worker answered with "${reply.kind}"`)
