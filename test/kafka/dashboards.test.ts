import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../src/config/package-root.ts'
import { panelQueries, rules } from '../support/grafana-files.ts'
import { brokers, describeKafka } from '../support/kafka/test-kafka.ts'
import { parsePrometheusText } from '../support/prometheus-text.ts'
import { selectorsOf } from '../support/promql.ts'
import { tempFolder } from '../support/temp-folder.ts'

interface Answers {
  readonly answered: readonly {
    readonly dashboard: { readonly uid: string }
    readonly panels: readonly { readonly panel: { readonly title: string; readonly type: string }; readonly queries: readonly Query[] }[]
  }[]
  readonly rules: readonly { readonly name: string; readonly type: string; readonly health: string; readonly lastError?: string; readonly series: number }[]
  readonly variables: Readonly<Record<string, readonly string[]>>
  readonly scraped: readonly string[]
}

interface Query {
  readonly error?: string
  readonly series: readonly { readonly points: readonly (readonly [at: number, value: number])[] }[]
}

/** Where a healthy run has nothing to show: no question fails, every intake is open, and no alert fires that soon. */
const empty = [
  'pagestream-gpu: Which questions fail for good?',
  'pagestream-overview: Does every stage take in?',
  'pagestream-reliability: Which alerts are firing?',
]
/** What counts what does not happen in such a run is told as 0; all other panels have more to tell. */
const zero = [
  'pagestream-backfill: What share of the pages could not be read?',
  'pagestream-gpu: How many blocks could the model not read?',
  'pagestream-kafka: How many commits come too late?',
  'pagestream-kafka: How many partitions are not read on?',
  'pagestream-kafka: How often are partitions assigned anew?',
  'pagestream-overview: How many alerts are firing?',
  'pagestream-reliability: How many trusted words were lost?',
  'pagestream-reliability: How many values were not in the store?',
  'pagestream-reliability: How often were processes started anew?',
  'pagestream-reliability: What share of documents is late?',
  'pagestream-reliability: What share of first pages is late?',
  'pagestream-reliability: Which calls of the store fail?',
  'pagestream-stage: How often is work tried again?',
]
/** What may be over between two looks, on a fast machine. */
const brief = [
  'pagestream-backfill: How far are the workers of the bulk lane behind?',
  'pagestream-gpu: How far are the stages behind that ask the model?',
  'pagestream-gpu: How many questions wait for a slot?',
  'pagestream-kafka: How long does it take to catch up?',
  'pagestream-kafka: How many bytes wait to be sent?',
  'pagestream-kafka: How many records wait to be sent?',
  'pagestream-kafka: How many records wait?',
  'pagestream-overview: How far is each stage behind?',
  'pagestream-overview: How far is the slowest stage behind?',
  'pagestream-stage: Is a worker stuck?',
]

const hasPrometheus = spawnSync('prometheus', ['--version']).status === 0

/** Runs what a person runs who wants to see the dashboards without Grafana. */
async function showDashboards(): Promise<Answers> {
  const out = await tempFolder()
  const args = ['scripts/show-dashboards.mjs', '--demo', '--seconds', '10', '--out', out]
  const child = spawn(process.execPath, args, {
    cwd: packageRoot(),
    env: { ...process.env, KAFKA_BROKERS: brokers.join(',') },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (piece) => {
    errors += piece
  })
  const [code] = await once(child, 'close')
  expect(code, errors).toBe(0)
  return JSON.parse(await readFile(join(out, 'answers.json'), 'utf8')) as Answers
}

/** Values of labels that expressions name, of series that were scraped, and that no scrape has. */
function unknownValues(exprs: readonly string[], scraped: readonly string[]): string[] {
  const found = scraped.map(parsePrometheusText)
  const valuesOf = (name: string, label: string) =>
    found
      .flatMap((metrics) => metrics.get(name.replace(/_(?:bucket|sum|count)$/, ''))?.samples ?? metrics.get(name)?.samples ?? [])
      .map(({ labels }) => labels[label])
  return selectorsOf(exprs.join('\n')).flatMap(({ name, matchers }) =>
    matchers
      .filter(({ value }) => !value.includes('$') && name.startsWith('pagestream_'))
      .flatMap(({ label, value }) =>
        value
          .split('|')
          .filter((each) => !valuesOf(name, label).includes(each))
          .map((each) => `${name}{${label}="${each}"}`),
      ),
  )
}

describeKafka(
  'the dashboards and rules over a worker and a backfill that Prometheus scrapes',
  () => {
    it('are answered without an error, and empty only where nothing happened', { timeout: 240_000 }, async () => {
      const { answered, rules: asked, variables, scraped } = await showDashboards()
      const panels = answered.flatMap(({ dashboard, panels }) =>
        panels.filter(({ panel }) => panel.type !== 'row').map(({ panel, queries }) => ({ name: `${dashboard.uid}: ${panel.title}`, queries })),
      )
      expect(panels.flatMap(({ queries }) => queries)).toHaveLength(panelQueries.length)
      expect(panels.flatMap(({ name, queries }) => queries.flatMap(({ error }) => (error === undefined ? [] : [`${name}: ${error}`])))).toEqual([])
      const pointsOf = ({ queries }: (typeof panels)[number]) => queries.flatMap(({ series }) => series.flatMap(({ points }) => points))
      expect(
        panels
          .filter((panel) => pointsOf(panel).length === 0)
          .map(({ name }) => name)
          .filter((name) => !empty.includes(name)),
      ).toEqual([])
      expect(
        panels
          .filter((panel) => pointsOf(panel).every(([, value]) => value === 0))
          .map(({ name }) => name)
          .filter((name) => ![...empty, ...zero, ...brief].includes(name)),
      ).toEqual([])

      for (const input of scraped) {
        const { stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' })
        expect(`${stdout}${stderr}`).toBe('')
      }

      expect(asked).toHaveLength(rules.length)
      expect(asked.filter(({ health, lastError }) => health !== 'ok' || lastError)).toEqual([])
      expect(asked.filter(({ type, series }) => type === 'recording' && series === 0)).toEqual([])
      expect(variables).toMatchObject({ cluster: ['demo'], namespace: ['documents'], lane: ['bulk', 'live'] })
      expect(variables.stage).toHaveLength(5)
      const slip = 'pagestream_block_sources_total{source="fallbak"}'
      expect(unknownValues([slip.replace('"fallbak"', '~"model|fallbak"'), slip], scraped)).toEqual([slip, slip])
      expect(
        unknownValues(
          [...panelQueries, ...rules].map(({ expr }) => expr),
          scraped,
        ),
      ).toEqual([])
    })
  },
  hasPrometheus ? undefined : 'prometheus',
)
