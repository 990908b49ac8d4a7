import { loadConfig } from '../config/load-config.ts'
import { checkStore } from '../operations/store-check.ts'
import { openStore } from '../store/open-store.ts'
import { print } from './print.ts'

/** Runs `pagestream store check`; answers with the exit code. Rejects with `configuration`, `store-*`. */
export async function runStoreCheck(flags: { readonly config?: string; readonly json?: boolean }): Promise<number> {
  const { store } = loadConfig({ file: flags.config })
  await checkStore(await openStore(store))
  print(flags.json ? JSON.stringify({ event: 'fit' }) : 'the store gives back what was written, and lets one writer be the first')
  return 0
}
