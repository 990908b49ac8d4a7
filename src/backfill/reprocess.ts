import type { Config } from '../config/config.ts'
import { doneKey, resultsKey, unfinishedKey } from '../consumers/chain/keys.ts'
import { revisionOf } from '../inputs/identify.ts'
import { shippedManifest } from '../runtime/models/manifest.ts'
import type { ReprocessMode } from '../schema/backfill.ts'
import type { DocumentSubmitted } from '../schema/events.ts'
import type { Artifacts } from '../store/artifacts.ts'

/** Revisions of one document that are looked at; the store keeps one for each configuration it was read with. */
const mostRevisions = 1000

/**
 * Whether a document is to be read, by what its stored results were made with: without a mode, when it is not complete with
 * today's configuration; `failed`, when it ended with failures; `model`, when it is complete with other models and otherwise today's
 * settings; `config`, when it is complete with other settings only; `all`, always.
 */
export async function isWanted(document: DocumentSubmitted, mode: ReprocessMode | undefined, config: Config, artifacts: Artifacts): Promise<boolean> {
  const { documentId, revision } = document
  if (mode === 'all') return true
  if (mode === 'failed') return (await artifacts.find(unfinishedKey(documentId, revision), 'either')) !== undefined
  if (await artifacts.find(doneKey(documentId, revision), 'lasting')) return false
  if (mode === undefined) return true
  const otherModels = revisionsWithOtherModels(document, config)
  let found = 0
  let byModel = false
  for await (const { name } of artifacts.list(`done/${documentId}`)) {
    if (otherModels.has(name)) byModel = true
    if (++found >= mostRevisions) break
  }
  return mode === 'model' ? byModel : found > 0 && !byModel
}

/** What must go before a complete document is read anew with the same configuration. */
export async function forgetResults({ documentId, revision }: DocumentSubmitted, artifacts: Artifacts): Promise<void> {
  await artifacts.forget(doneKey(documentId, revision), 'lasting')
  for (const life of ['lasting', 'passing'] as const) await artifacts.forget(resultsKey(documentId, revision), life)
}

/** A revision is a hash: which models it was made with is found by trying those that there are. */
function revisionsWithOtherModels({ source, pages, revision }: DocumentSubmitted, config: Config): Set<string> {
  const { models } = shippedManifest()
  const of = (contract: string, own: string) => [own, ...models.filter((model) => model.contract === contract).map(({ id }) => id)]
  const revisions = new Set<string>()
  for (const detector of of('pp-ocr-det', config.models.detector)) {
    for (const recognizer of of('pp-ocr-rec', config.models.recognizer)) {
      revisions.add(revisionOf(source.sha256, { ...config, models: { ...config.models, detector, recognizer } }, pages))
    }
  }
  revisions.delete(revision)
  return revisions
}
