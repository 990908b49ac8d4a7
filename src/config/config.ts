import { z } from 'zod'
import { ocrModes } from '../schema/ocr-mode.ts'
import { backfillConfigSchema } from './backfill-config.ts'
import { kafkaConfigSchema } from './kafka-config.ts'
import { textModelConfigSchema } from './text-model-config.ts'
import { vlmConfigSchema } from './vlm-config.ts'

export const outputFormats = ['json', 'md', 'blocks', 'chunks', 'html', 'mineru'] as const
export type OutputFormat = (typeof outputFormats)[number]

/** What runs ONNX models: the processor, and what a build of ONNX Runtime may add to it. */
export const onnxProviders = ['cpu', 'cuda', 'tensorrt', 'coreml', 'dml'] as const
export type OnnxProvider = (typeof onnxProviders)[number]

const positive = z.number().int().positive()

/** Threads, open files and buffers cost memory each; beyond these a value is a slip. */
const mostWorkers = 256
const mostOpenDocuments = 1024
const mostPages = 65_536
/** One day. Timers take at most 2^31 - 1 ms, and a longer wait for one page is none. */
const longestMs = 86_400_000

/**
 * The whole configuration. Every key has a default; sizes and times name their unit.
 * What decides a result is part of a document's revision, what only decides speed is not.
 */
export const configSchema = z.strictObject({
  formats: z.array(z.enum(outputFormats)).min(1).default(['json', 'md', 'blocks', 'chunks']).describe('Outputs to write'),
  images: z.boolean().default(true).describe('Cut figures out as image files'),
  ocr: z.enum(ocrModes).default('auto').describe('Whether pictures of pages are read: when needed, for every page, or not at all'),
  workers: z.number().int().min(0).max(mostWorkers).default(0).describe('Worker threads for each pool, PDF and OCR, of each lane; 0 = number of processors'),
  device: z
    .string()
    .min(1)
    .default('auto')
    .describe(
      'What models run on, where they do not run on a server: cpu, cuda:N as nvidia-smi numbers them, the UUID of a GPU (GPU-…) or of a part of one (MIG-…), or auto = the GPU with the most free memory, else cpu',
    ),
  render: z
    .strictObject({
      dpi: z.number().min(36).max(1200).default(200).describe('Resolution of page pictures'),
      viewerDpi: z.number().min(36).max(300).default(100).describe('Resolution of page pictures in the HTML viewer'),
    })
    .prefault({}),
  window: z
    .strictObject({
      pages: positive.max(mostPages).default(64).describe('A window closes at so many pages'),
      costMs: positive.max(longestMs).default(60_000).describe('… or so much expected work'),
      bytes: positive.default(64 * 1024 ** 2).describe('… or so many bytes that its pages are expected to hold in memory'),
      ageMs: positive.max(longestMs).default(20).describe('… or when its oldest page has waited so long'),
    })
    .prefault({}),
  limits: z
    .strictObject({
      maxDocumentBytes: positive.default(2 * 1024 ** 3).describe('Larger files are refused'),
      maxPicturePixels: positive.default(200_000_000).describe('Pictures that declare more are refused before decoding'),
      maxRenderPixels: positive.default(40_000_000).describe('Pages are rendered at a lower resolution rather than larger'),
      maxPagePoints: positive.default(200_000).describe('Longest page side in points'),
      picturePages: z
        .number()
        .int()
        .min(0)
        .default(100)
        .describe('Documents with more pages do not get the pictures read that stand on pages with a good text layer; scanned pages are always read'),
      pageTimeoutMs: positive.max(longestMs).default(20_000).describe('Longest time for one page in the PDF engine'),
      engineMemoryBytes: positive.default(512 * 1024 ** 2).describe('Largest heap of one PDF engine'),
      openDocuments: positive.max(mostOpenDocuments).default(16).describe('Documents that are worked on at once'),
      bufferedPages: positive.max(mostPages).default(16).describe('Pages between two stages before the faster one waits'),
    })
    .prefault({}),
  engine: z.strictObject({ recyclePages: positive.default(2000).describe('A PDF engine is renewed after so many pages') }).prefault({}),
  kafka: kafkaConfigSchema.prefault({}),
  store: z
    .strictObject({
      url: z.string().default('').describe('What workers share: a folder (file:///srv/pagestream) or a bucket (s3://bucket/prefix)'),
      endpoint: z
        .union([z.literal(''), z.url({ protocol: /^https?$/ })])
        .default('')
        .describe('Address of a server that speaks S3; empty = that of AWS'),
      region: z.string().default('').describe("Region of the buckets; empty = by the SDK's own chain"),
      pathStyle: z.boolean().default(false).describe('Buckets stand in the path and not in the host name, as most servers other than AWS want it'),
    })
    .prefault({}),
  inputs: z
    .strictObject({
      folders: z.array(z.string()).default([]).describe('Folders whose files may be named by documents on the topic; the store is always allowed'),
      buckets: z.array(z.string()).default([]).describe('Buckets, or prefixes in them (bucket/prefix), whose objects may be named as s3://bucket/key'),
      hosts: z
        .array(z.string())
        .default([])
        .describe('Hosts (files.example.com, files.example.com:8443, *.example.com) that may be named in https:// references'),
      privateAddresses: z.boolean().default(false).describe('Whether these hosts may have addresses of private networks; link-local ones stay refused'),
      maxRedirects: z.number().int().min(0).max(20).default(3).describe('Redirects that are followed, each to an allowed host'),
      fetchTimeoutMs: positive.max(longestMs).default(120_000).describe('Longest time to fetch one https:// reference'),
      passwordsFile: z
        .string()
        .default('')
        .describe('File of passwords, one a line, at most 100, that workers try on documents that ask for one; read when one does'),
      cacheBytes: positive.default(4 * 1024 ** 3).describe('Copies of inputs that a worker keeps on its disk, for each lane'),
    })
    .prefault({}),
  worker: z
    .strictObject({
      port: z
        .number()
        .int()
        .min(0)
        .max(65_535)
        .default(0)
        .describe('Port of /live, /ready, /startup, /metrics and /status; 0 = none, so that several workers of a host do not collide'),
      host: z.string().min(1).default('127.0.0.1').describe('… and the address: 0.0.0.0 where probes and scrapes come from elsewhere, as in a container'),
      maxPagesInFlight: positive.max(mostPages).default(64).describe('Pages of one stage and lane that a worker holds'),
      maxBufferedBytes: positive.default(16 * 1024 ** 2).describe('Bytes of records that a stage and lane has taken in and not finished, one fetch aside'),
      windows: positive.max(mostWorkers).default(2).describe('Windows of a stage and lane that are worked on at once'),
      bulkNice: z.number().int().min(0).max(19).default(10).describe('How far bulk gives way where one worker serves both lanes, on Linux; 0 = not at all'),
      patienceMs: z
        .number()
        .int()
        .min(0)
        .max(longestMs)
        .default(60_000)
        .describe('How long a worker that starts waits for a broker or an engine that does not answer'),
      retryAttempts: positive
        .max(10_000)
        .default(10)
        .describe('A page that fails for a reason that may pass, while the rest is well, is given up after so many tries …'),
      retryMs: z.number().int().min(0).max(longestMs).default(120_000).describe('… and not before so long; while all fails, nothing is given up'),
      deadLetterRate: z
        .number()
        .min(0)
        .max(1)
        .default(0.5)
        .describe('A stage stops taking a lane in when more than this share of its last pages failed; 1 = never'),
      deadLetterPages: positive.max(mostPages).default(200).describe('… of so many pages'),
      breakerPauseMs: positive.max(longestMs).default(300_000).describe('… for so long; then it looks again'),
      drainMs: positive.max(longestMs).default(25_000).describe('Time to finish what is in hand after SIGTERM; less than the grace period of the orchestrator'),
      stallMs: positive.max(longestMs).default(600_000).describe('A worker that finishes nothing for so long while work waits ends itself'),
    })
    .prefault({}),
  backfill: backfillConfigSchema.prefault({}),
  log: z
    .strictObject({
      format: z.enum(['text', 'json']).default('text').describe('How workers and backfills log to standard error: lines for people, or JSON for collectors'),
      level: z.enum(['error', 'warn', 'info', 'debug']).default('info').describe('… and from which level on'),
    })
    .prefault({}),
  models: z
    .strictObject({
      detector: z.string().default('pp-ocrv4-mobile-det').describe('Text finder, an id of models/manifest.json'),
      recognizer: z.string().default('pp-ocrv4-mobile-rec').describe('Line reader, an id of models/manifest.json'),
      providers: z
        .array(z.enum(onnxProviders))
        .min(1)
        .default(['cpu'])
        .describe('What runs these models, in order of preference; one that is not in this build of ONNX Runtime is an error and not passed over'),
      directory: z.string().default('').describe('Where fetched models lie; empty = the cache folder of the user'),
    })
    .prefault({}),
  vlm: vlmConfigSchema.prefault({}),
  textModel: textModelConfigSchema.prefault({}),
  chunks: z
    .strictObject({
      maxTokens: positive.default(512).describe('Token budget of a retrieval chunk'),
      minTokens: z.number().int().min(0).default(64).describe('Smaller neighbours under one heading are joined'),
    })
    .prefault({}),
})
export type Config = z.infer<typeof configSchema>
