import { loadConfig } from '../config/load-config.ts'
import { collectGarbage, expiryRules } from '../operations/store-gc.ts'
import { openStore } from '../store/open-store.ts'
import { counted } from './counted.ts'
import { print } from './print.ts'
import type { StoreGcFlags } from './store-command.ts'

const dayMs = 86_400_000

/** Runs `pagestream store gc`; answers with the exit code. */
export async function runStoreGc(flags: StoreGcFlags): Promise<number> {
  const config = loadConfig({ file: flags.config })
  const dryRun = flags.dryRun === true
  const collected = await collectGarbage(await openStore(config.store), Date.now() - flags.olderThan * dayMs, dryRun)
  const rules = config.store.url.startsWith('s3:') ? expiryRules(config.store.url, flags.olderThan) : undefined
  if (flags.json) print(JSON.stringify({ event: dryRun ? 'would-delete' : 'deleted', ...collected, ...(rules && { rules }) }))
  else {
    const { passing, results, drafts, bytes } = collected
    const said = dryRun ? 'would delete' : 'deleted'
    print(
      `${said} ${counted(passing, 'passing value')}, ${counted(results, 'page result')} of documents that are done (${bytes} bytes), ${counted(drafts, 'draft')}`,
    )
    if (rules) print(`\nRules by which the bucket does this for tmp/ by itself:\n${JSON.stringify(rules, undefined, 2)}`)
  }
  return 0
}
