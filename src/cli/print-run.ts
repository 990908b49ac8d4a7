import { BackfillRecord } from '../backfill/backfill-record.ts'
import type { Config } from '../config/config.ts'
import type { BackfillCheckpoint, BackfillSpec, Problem } from '../schema/backfill.ts'
import type { BlobStore } from '../store/blob-store.ts'
import { backfillLine, reportOf } from './backfill-report.ts'
import { counted } from './counted.ts'
import { print } from './print.ts'
import { shown } from './terminal-text.ts'

/** Where a backfill is, by its id, for `backfill status` and `status --run`; answers with the exit code. Rejects with `backfill-unknown`. */
export async function printRun(
  config: Config,
  store: BlobStore,
  run: string,
  flags: { readonly json?: boolean; readonly problems?: boolean },
): Promise<number> {
  const record = new BackfillRecord(store, run)
  const spec = await record.spec()
  if (flags.problems) {
    for await (const problem of record.problems()) print(flags.json ? JSON.stringify({ event: 'problem', ...problem }) : lineOf(problem))
    return 0
  }
  const checkpoint = await record.checkpoint()
  const left = checkpoint.state === 'running' && !(await record.isOwned(config.backfill.pollMs))
  printReport(spec, left ? { ...checkpoint, state: 'stopped' } : checkpoint, flags)
  return 0
}

function lineOf({ what, name, code, failedPages, document }: Problem): string {
  const parts = [what.padEnd(7), shown(name), code, what === 'partial' && `${counted(failedPages ?? 0, 'page')} failed`, document !== name && document]
  return parts.filter((part) => part !== undefined && part !== false).join('  ')
}

export function printReport(spec: BackfillSpec, checkpoint: BackfillCheckpoint, { json }: { readonly json?: boolean }): void {
  print(json ? JSON.stringify({ event: 'backfill', ...reportOf(spec, checkpoint) }) : `${spec.run}  ${checkpoint.state}  ${backfillLine(checkpoint)}`)
}
