import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../../src/config/package-root.ts'

const read = (name: string) => readFileSync(join(packageRoot(), name), 'utf8')
const dockerfile = read('deploy/docker/Dockerfile')
/** Instructions, each on one line. */
const steps = dockerfile
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '')
const last = steps.slice(steps.findLastIndex((step) => step.startsWith('FROM ')))
const only = (instruction: string) => {
  const found = last.filter((step) => step.startsWith(`${instruction} `))
  expect(found, instruction).toHaveLength(1)
  return found[0]?.slice(instruction.length + 1) ?? ''
}

describe('the image', () => {
  it('takes each base image by an argument, so that a digest pins it, and names a version where none is given', () => {
    const bases = steps.filter((step) => step.startsWith('FROM ')).map((step) => step.split(' ')[1])
    for (const base of bases) expect(base).toMatch(/^(\$\{(NODE|RUNTIME)_IMAGE\}|scratch)$/)
    expect(steps).toContainEqual(expect.stringMatching(/^ARG NODE_IMAGE=node:20\.\d+\.\d+-\w+-slim$/))
    expect(steps).toContainEqual(expect.stringMatching(/^ARG RUNTIME_IMAGE=debian:\w+-slim$/))
  })

  it('runs as the user of the chart, by number', () => {
    expect(only('USER')).toBe('1000:1000')
    expect(read('deploy/helm/pagestream/values.yaml')).toMatch(/runAsUser: 1000\n {2}runAsGroup: 1000\n/)
  })

  it('starts the command line through an init, and leaves probes to whoever runs it', () => {
    const words = JSON.parse(only('ENTRYPOINT')) as string[]
    expect(words).toEqual(['tini', '--', 'node', '/app/dist/bundle/cli.js'])
    expect(read('deploy/helm/pagestream/templates/NOTES.txt')).toContain(words.slice(2).join(' '))
    expect(only('STOPSIGNAL')).toBe('SIGTERM')
    expect(only('HEALTHCHECK')).toBe('NONE')
  })

  it('writes below /tmp alone, where the chart and the Compose file mount a folder', () => {
    const env = Object.fromEntries(
      only('ENV')
        .split(/\s+/)
        .map((pair) => pair.split('=')),
    )
    expect(env).toMatchObject({ HOME: '/tmp', TMPDIR: '/tmp', PAGESTREAM_CACHE: '/tmp/pagestream', PAGESTREAM_WORKER__PORT: '9464' })
  })

  it('installs without what development needs and without scripts of packages, in what is shipped', () => {
    const production = steps.slice(steps.findIndex((step) => step.endsWith(' AS production')))
    expect(production).toContainEqual(
      expect.stringContaining('npm ci --omit=dev --ignore-scripts && node /opt/keep-platform.mjs . && npm pkg delete devDependencies && npm sbom'),
    )
    const shipped = last.filter((step) => step.startsWith('COPY ')).map((step) => step.split(' ')[1])
    expect(new Set(shipped)).toEqual(new Set(['--from=init', '--from=production']))
  })

  it('carries the labels of the OCI', () => {
    const labels = [...only('LABEL').matchAll(/org\.opencontainers\.image\.([\w.]+)=/g)].map(([, name]) => name)
    expect(labels).toEqual(['title', 'description', 'licenses', 'version', 'revision', 'created', 'source', 'base.name'])
  })

  it('copies only what is there and what .dockerignore lets through', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))
    const copied = steps.filter((step) => /^COPY (?!--from)/.test(step)).flatMap((step) => step.split(' ').slice(1, -1))
    expect(copied.length).toBeGreaterThan(8)
    for (const name of copied) {
      expect(existsSync(join(packageRoot(), name)), name).toBe(true)
      expect(allowed).toContain(name)
    }
  })
})
