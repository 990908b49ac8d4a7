import { workerData } from 'node:worker_threads'
import type { TextRegion } from '../../schema/page.ts'
import type { Picture } from '../document-reader.ts'
import { serveJobs } from '../onnx/serve-jobs.ts'
import type { LineText } from '../text-reader.ts'
import { Detector } from './detector.ts'
import { Recognizer } from './recognizer.ts'
import type { OcrModels, OcrReply, OcrRequest } from './worker-protocol.ts'

const models = workerData as OcrModels

let detector: Promise<Detector> | undefined
let recognizer: Promise<Recognizer> | undefined

/** A model that failed to load is tried again by the next job: its file may have come meanwhile. */
const openDetector = (): Promise<Detector> =>
  (detector ??= Detector.open(models.detector, models.providers).catch((error: unknown) => {
    detector = undefined
    throw error
  }))
const openRecognizer = (): Promise<Recognizer> =>
  (recognizer ??= Recognizer.open(models.recognizer, models.providers).catch((error: unknown) => {
    recognizer = undefined
    throw error
  }))

async function readAll(picture: Picture, regions: readonly TextRegion[]): Promise<LineText[]> {
  const reader = await openRecognizer()
  const lines: LineText[] = []
  for (const region of regions) lines.push(await reader.read(picture, region))
  return lines
}

/** The first two runs of a session are several times slower than the rest. */
async function warmUp(): Promise<void> {
  const page: Picture = { data: new Uint8Array(700 * 960).fill(255), width: 700, height: 960, channels: 1, dpi: 72 }
  const line: TextRegion = { corners: [0, 0, 1, 0, 1, 0.05, 0, 0.05], score: 1 }
  const finder = await openDetector()
  for (let i = 0; i < 2; i++) await finder.find(page, 960)
  await readAll(page, [line, line])
}

serveJobs<OcrRequest, OcrReply>(async (request) => {
  switch (request.kind) {
    case 'find':
      return { kind: 'found', found: await (await openDetector()).find(request.picture, request.longSidePx) }
    case 'read':
      return { kind: 'lines', lines: await readAll(request.picture, request.regions) }
    case 'warm-up':
      await warmUp()
      return { kind: 'warm' }
  }
})
