import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Config } from '../config/config.ts'
import { settingsOf } from '../config/what-decides.ts'
import { doneKey, unfinishedKey } from '../consumers/chain/keys.ts'
import { revisionOf } from '../inputs/identify.ts'
import { shippedManifest } from '../runtime/models/manifest.ts'
import { backfillSpecSchema, type ReprocessMode } from '../schema/backfill.ts'
import type { ArtifactRef, DocumentSubmitted } from '../schema/events.ts'
import type { Artifacts } from '../store/artifacts.ts'
import type { BlobStore } from '../store/blob-store.ts'

/** Revisions of one document that are looked at; the store keeps one for each configuration it was read with. */
const mostRevisions = 1000
/** Runs with `--reprocess all` whose revisions are known. */
const mostRuns = 1000

export interface Wish {
  readonly run: string
  readonly mode: ReprocessMode | undefined
  /** Runs that have read everything anew. */
  readonly anewRuns: readonly string[]
}

/**
 * The revision that a run with `--reprocess all` gives a document: today's, and the run. Results are written once, so a second
 * reading with the same settings has a revision of its own, and the earlier one stays whole until it is there and after.
 */
export const revisionAnew = (revision: string, run: string): string =>
  createHash('sha256')
    .update(JSON.stringify(['anew', revision, run]))
    .digest('hex')
    .slice(0, 16)

/** Ids of the runs with `--reprocess all` that the store knows. */
export async function runsAnew(store: BlobStore): Promise<string[]> {
  const runs: string[] = []
  for await (const key of store.list('backfills/')) {
    if (!key.endsWith('/spec.json')) continue
    const spec = backfillSpecSchema.safeParse(JSON.parse(Buffer.from(await store.get(key)).toString('utf8'))).data
    if (spec?.reprocess === 'all') runs.push(spec.run)
    if (runs.length >= mostRuns) break
  }
  return runs
}

/**
 * The revision under which a document is to be read, undefined when it is not, by what its stored results were made with: without
 * a mode, when it is not complete with today's configuration; `failed`, when it ended with failures; `model`, when it is complete with
 * other models and otherwise today's settings; `config`, when it is complete with other settings only; `all`, unless this run has done so.
 */
export async function wantedRevision(document: DocumentSubmitted, wish: Wish, config: Config, artifacts: Artifacts): Promise<string | undefined> {
  const { documentId, revision } = document
  const isDone = async (each: string) => (await artifacts.find(doneKey(documentId, each), 'lasting')) !== undefined
  if (wish.mode === 'all') {
    const anew = revisionAnew(revision, wish.run)
    return (await isDone(anew)) ? undefined : anew
  }
  const todays = variantsOf(revision, wish)
  if (wish.mode === 'failed') {
    for (const each of todays) if (await artifacts.find(unfinishedKey(documentId, each), 'either')) return each
    return undefined
  }
  for (const each of todays) if (await isDone(each)) return undefined
  if (wish.mode === undefined) return revision
  return (await isDoneOtherwise(document, wish.mode, wish, config, artifacts)) ? revision : undefined
}

async function isDoneOtherwise(document: DocumentSubmitted, mode: 'model' | 'config', wish: Wish, config: Config, artifacts: Artifacts): Promise<boolean> {
  const otherModels = new Set([...revisionsWithOtherModels(document, config)].flatMap((each) => variantsOf(each, wish)))
  const settings = settingsOf(config)
  let found = 0
  let byModel = false
  for await (const { name, ref } of artifacts.list(`done/${document.documentId}`)) {
    if (otherModels.has(name) || (await hasSettings(ref, settings, document, artifacts))) byModel = true
    if (byModel || ++found >= mostRevisions) break
  }
  return mode === 'model' ? byModel : found > 0 && !byModel
}

/** Whether a revision that is not today's was read with today's settings: then it was by other models. Marks of earlier versions do not say. */
async function hasSettings(ref: ArtifactRef, settings: string, { pages }: DocumentSubmitted, artifacts: Artifacts): Promise<boolean> {
  const mark = doneSettingsSchema.safeParse(await artifacts.get(ref)).data
  return mark?.settings === settings && (pages === undefined || pages.length === mark.pages)
}

const doneSettingsSchema = z.object({ settings: z.string(), pages: z.number() })

const variantsOf = (revision: string, { anewRuns }: Wish): string[] => [revision, ...anewRuns.map((run) => revisionAnew(revision, run))]

/** A revision is a hash: which models it was made with, where its mark does not say, is found by trying those that there were. */
function revisionsWithOtherModels({ source, pages, revision }: DocumentSubmitted, config: Config): Set<string> {
  const { models } = shippedManifest()
  const of = (contract: string, own: string) => [own, ...models.filter((model) => model.contract === contract).map(({ id }) => id)]
  const revisions = new Set<string>()
  for (const detector of of('pp-ocr-det', config.models.detector)) {
    for (const recognizer of of('pp-ocr-rec', config.models.recognizer)) {
      for (const family of [config.vlm.family, 'none' as const]) {
        const other = { ...config, models: { ...config.models, detector, recognizer }, vlm: { ...config.vlm, family } }
        revisions.add(revisionOf(source.sha256, other, pages))
      }
    }
  }
  revisions.delete(revision)
  return revisions
}
