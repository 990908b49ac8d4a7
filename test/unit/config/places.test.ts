import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cacheFolder, modelFolder } from '../../../src/config/places.ts'

const linux = { platform: 'linux' as const, home: '/home/ada', env: {} }

describe('the cache folder', () => {
  it('follows the rule of each platform', () => {
    expect(cacheFolder(linux)).toBe(join('/home/ada', '.cache', 'pagestream'))
    expect(cacheFolder({ ...linux, env: { XDG_CACHE_HOME: '/var/cache/ada' } })).toBe(join('/var/cache/ada', 'pagestream'))
    expect(cacheFolder({ ...linux, platform: 'darwin' })).toBe(join('/home/ada', 'Library', 'Caches', 'pagestream'))
    expect(cacheFolder({ ...linux, platform: 'win32', env: { LOCALAPPDATA: 'L' } })).toBe(join('L', 'pagestream', 'Cache'))
  })

  it('is where PAGESTREAM_CACHE says, before all else', () => {
    expect(cacheFolder({ ...linux, env: { PAGESTREAM_CACHE: '/models', XDG_CACHE_HOME: '/x' } })).toBe('/models')
  })

  it('holds the models unless the configuration names a folder', () => {
    expect(modelFolder('', linux)).toBe(join('/home/ada', '.cache', 'pagestream', 'models'))
    expect(modelFolder('/data/models', linux)).toBe('/data/models')
  })
})
