import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'

const root = new URL('../', import.meta.url)

function commit() {
  try {
    const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
    return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', '--untracked-files=no', 'src') ? ' with changes' : ''}`
  } catch {
    return 'unknown'
  }
}

/** What a number of a bench depends on besides the code. `n` and versions of peers are added by the bench. */
export function conditions(more = {}) {
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
  return {
    date: new Date().toISOString().slice(0, 10),
    pagestream: `${version} (${commit()})`,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    loadAtStart: Number(loadavg()[0]?.toFixed(2)),
    ...more,
  }
}
