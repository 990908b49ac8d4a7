import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, loadConfig } from '../../../src/config/load-config.ts'
import { tempFolder } from '../../support/temp-folder.ts'

describe('the configuration', () => {
  it('has a default for every key and is frozen', () => {
    const config = loadConfig({ env: {} })
    expect(config.render.dpi).toBe(200)
    expect(Object.isFrozen(config.render)).toBe(true)
  })

  it('lets the environment win over the file and overrides over both', async () => {
    const file = join(await tempFolder(), 'c.json')
    await writeFile(file, JSON.stringify({ ocr: 'never', workers: 2, render: { dpi: 150 }, chunks: { maxTokens: 100 } }))
    const config = loadConfig({ file, env: { PAGESTREAM_RENDER__DPI: '300', PAGESTREAM_CHUNKS__MAX_TOKENS: '200', OTHER: 'x' }, overrides: { workers: 3 } })
    expect(config).toMatchObject({ ocr: 'never', workers: 3, render: { dpi: 300, viewerDpi: 100 }, chunks: { maxTokens: 200 } })
  })

  it.each([
    ['localhost:9092', ['localhost:9092']],
    ['one:9092, two:9092,', ['one:9092', 'two:9092']],
    ['["one:9092"]', ['one:9092']],
    ['"one:9092,two:9092"', ['one:9092', 'two:9092']],
    ['', []],
  ])('reads a list of texts from the environment as JSON or with commas between: %s', (value, brokers) => {
    expect(loadConfig({ env: { PAGESTREAM_KAFKA__BROKERS: value } }).kafka.brokers).toEqual(brokers)
  })

  it('reads every list of texts so, and no other key', () => {
    const env = { FORMATS: 'json,md', INPUTS__FOLDERS: '/a b,/c', INPUTS__BUCKETS: 'scans/2024', INPUTS__HOSTS: '7,*.example.com', KAFKA__CLIENT_ID: 'a,b' }
    const config = loadConfig({ env: Object.fromEntries(Object.entries(env).map(([key, value]) => [`PAGESTREAM_${key}`, value])) })
    expect(config.formats).toEqual(['json', 'md'])
    expect(config.inputs).toMatchObject({ folders: ['/a b', '/c'], buckets: ['scans/2024'], hosts: ['7', '*.example.com'] })
    expect(config.kafka.clientId).toBe('a,b')
  })

  it('names the broker of a list that is none', () => {
    expect(() => loadConfig({ env: { PAGESTREAM_KAFKA__BROKERS: 'one:9092,two' } })).toThrow(/kafka\.brokers\.1: expected host:port/)
  })

  it('reports every problem together, each with its key', () => {
    const load = () => loadConfig({ env: { PAGESTREAM_RENDER__DPI: '7', PAGESTREAM_NO_SUCH_KEY: '1', PAGESTREAM_OCR: 'perhaps' } })
    expect(load).toThrow(ConfigError)
    try {
      load()
    } catch (error) {
      const { problems } = error as ConfigError
      expect(problems).toHaveLength(3)
      expect(problems.join('\n')).toMatch(/render\.dpi:/)
      expect(problems.join('\n')).toMatch(/ocr:/)
      expect(problems.join('\n')).toMatch(/noSuchKey/)
    }
  })

  it.each([
    [{ PAGESTREAM_VLM__FAMLY: 'teleocr' }, 'vlm.famly: there is no such key (PAGESTREAM_VLM__FAMLY of the environment); is vlm.family meant?'],
    [{ PAGESTREAM_VLM_FAMILY: 'teleocr' }, 'vlmFamily: there is no such key (PAGESTREAM_VLM_FAMILY of the environment); is vlm.family meant?'],
    [{ PAGESTREAM_VLM__ENGINE__APIKEYFILE: '/key' }, 'is vlm.engine.apiKeyFile meant?'],
    [{ PAGESTREAM_VLM__ENGINE__URL: 'http://h' }, 'is vlm.engine.urls meant?'],
    [{ PAGESTREAM_VLM__ENGINE__URLS: 'localhost:8000' }, 'vlm.engine.urls.0: expected an address with http://'],
  ])('says what is likely meant, and where it stands: %j', (env, problem) => {
    expect(() => loadConfig({ env })).toThrow(problem)
  })

  it('names each unknown key of a file by itself, and guesses at none that is like no other', () => {
    const overrides = { vml: {}, vlm: { engin: {}, zebra: 1 } }
    expect(() => loadConfig({ env: {}, overrides })).toThrow(
      'vlm.engin: there is no such key; is vlm.engine meant?; vlm.zebra: there is no such key; vml: there is no such key; is vlm meant?',
    )
  })

  it('says which file it cannot read', () => {
    expect(() => loadConfig({ file: '/nowhere/c.json', env: {} })).toThrow(/\/nowhere\/c\.json: there is no such file/)
  })

  it('says where a file is no JSON, and nothing of what stands there', async () => {
    const file = join(await tempFolder(), 'c.json')
    await writeFile(file, '{\n  "kafka": { "sasl": { "password": hunter2 } }\n}')
    expect(() => loadConfig({ file, env: {} })).toThrow(`reading the configuration: ${file}: it is no JSON at line 2, column 36`)
  })

  it.each([
    { workers: 257 },
    { limits: { pageTimeoutMs: 2 ** 31 } },
    { limits: { openDocuments: 1_000_000 } },
    { limits: { bufferedPages: 1e9 } },
    { window: { ageMs: 2 ** 31 } },
  ])('refuses what no machine can do: %j', (overrides) => {
    const key = JSON.stringify(overrides).match(/"(\w+)":\d/)?.[1]
    expect(() => loadConfig({ env: {}, overrides })).toThrow(`${key}: `)
  })

  it('fails with the code of its own that a configuration has', () => {
    expect(() => loadConfig({ env: {}, overrides: { workers: -1 } })).toThrow(expect.objectContaining({ code: 'configuration', class: 'input' }))
  })
})
