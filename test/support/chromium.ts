import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

/** Where a Chromium is on this machine: PAGESTREAM_CHROMIUM or CHROMIUM_PATH, else on the search path. */
export function chromiumPath(): string | undefined {
  const named = process.env.PAGESTREAM_CHROMIUM || process.env.CHROMIUM_PATH
  if (named) return named
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']) {
      if (folder && existsSync(join(folder, name))) return join(folder, name)
    }
  }
  return undefined
}

const quiet = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']

export const openChromium = (executablePath: string): Promise<Browser> => chromium.launch({ executablePath, args: quiet })
