// Where tools that are built here lie: one folder a version, below the user's cache.
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

export const versions = JSON.parse(readFileSync(new URL('versions.json', import.meta.url), 'utf8'))

const { PAGESTREAM_CACHE, XDG_CACHE_HOME } = process.env
const cache = PAGESTREAM_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'pagestream')

/** Path of a program, whether or not it is there. */
export const toolPath = (name, version) => join(cache, `${name}-${version}`, name)

export const isThere = (name, version) => existsSync(toolPath(name, version))
