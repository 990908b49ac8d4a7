import { homedir } from 'node:os'
import { join } from 'node:path'

/** What places are derived from; a parameter so that tests need not touch the process. */
export interface Surroundings {
  readonly platform: NodeJS.Platform
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

const ours = (): Surroundings => ({ platform: process.platform, home: homedir(), env: process.env })

/**
 * The folder for data that can be fetched again.
 * `PAGESTREAM_CACHE` wins, then the platform's own rule: XDG_CACHE_HOME or ~/.cache, ~/Library/Caches, LOCALAPPDATA.
 */
export function cacheFolder(around: Surroundings = ours()): string {
  const { platform, home, env } = around
  if (env.PAGESTREAM_CACHE) return env.PAGESTREAM_CACHE
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'pagestream', 'Cache')
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'pagestream')
  return join(env.XDG_CACHE_HOME || join(home, '.cache'), 'pagestream')
}

/** The environment as it is, for processes that are started from here. */
export const surroundingEnvironment = (): NodeJS.ProcessEnv => ({ ...process.env })

/** Brokers that the environment names for tests and the demo, with commas between them. */
export function brokersOfEnvironment({ env }: Surroundings = ours()): string[] {
  return (env.KAFKA_BROKERS ?? '').split(',').filter((address) => address !== '')
}

/** Where the environment says that the Docker engine is, empty for its usual place. */
export const dockerHostOfEnvironment = ({ env }: Surroundings = ours()): string => env.DOCKER_HOST ?? ''

/** Where fetched models lie: `models.directory` of the configuration, else a folder of the cache. */
export function modelFolder(configured: string, around?: Surroundings): string {
  return configured || join(cacheFolder(around), 'models')
}
