// What the dashboards show, without Grafana: asks Prometheus for every panel and writes a page of charts, figures and tables.
// Usage: node scripts/show-dashboards.mjs --out FOLDER [--prometheus URL | --demo] [--seconds 900] [--scrape 15] [--pictures FOLDER]
//        --demo starts a broker, the stand-in of an engine, workers, documents, a backfill and Prometheus, and lets them work for so many seconds.
//        --pictures takes one of each dashboard, by the Chromium that CHROMIUM_PATH or the search path names.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { askPanels, askRules, askVariables } from './dashboards/ask-panels.mjs'
import { drawPage } from './dashboards/draw-page.mjs'

const { values } = parseArgs({
  options: {
    ...{ out: { type: 'string' }, prometheus: { type: 'string', default: 'http://127.0.0.1:9090' }, demo: { type: 'boolean', default: false } },
    ...{ seconds: { type: 'string', default: '900' }, scrape: { type: 'string', default: '15' }, pictures: { type: 'string' } },
  },
})
if (!values.out) throw new Error('--out FOLDER is where the page goes')
const seconds = Number(values.seconds)
const folder = fileURLToPath(new URL('../grafana/dashboards/', import.meta.url))
const dashboards = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))

/** Four scrapes, as Grafana chooses it. */
const answer = async (url, { scrapeSeconds, over = seconds, targets = [] }) => {
  const variables = await askVariables(url, dashboards[0])
  const answered = []
  for (const dashboard of dashboards)
    answered.push({ dashboard, panels: await askPanels(url, dashboard, { seconds: over, rateInterval: `${4 * scrapeSeconds}s` }) })
  const scraped = await Promise.all(targets.map(async (target) => (await fetch(`http://${target}/metrics`)).text()))
  return { answered, rules: await askRules(url), variables, scraped }
}

async function answerOfDemo() {
  const { demoRun } = await import('./dashboards/demo-run.mjs')
  const scratch = mkdtempSync(join(tmpdir(), 'pagestream-dashboards-'))
  let run
  try {
    run = await demoRun(scratch)
    const started = performance.now()
    await run.work(seconds)
    return await answer(run.url, { scrapeSeconds: 5, over: Math.ceil((performance.now() - started) / 1000), targets: run.targets })
  } finally {
    await run?.close()
    rmSync(scratch, { recursive: true, force: true })
  }
}

function chromiumPath() {
  const places = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((place) => ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(place, name)))
  const found = process.env.CHROMIUM_PATH || places.find((path) => existsSync(path))
  if (!found) throw new Error('--pictures needs Chromium: install it or name it in CHROMIUM_PATH')
  return found
}

async function takePictures(page, into) {
  const { chromium } = await import('playwright-core')
  const { default: sharp } = await import('sharp')
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const tab = await browser.newPage({ viewport: { width: 1272, height: 900 } })
    await tab.goto(pathToFileURL(page).href)
    mkdirSync(into, { recursive: true })
    for (const { uid } of dashboards) {
      const picture = await tab.locator(`#${uid}`).screenshot()
      await sharp(picture)
        .png({ palette: true, colours: 48, effort: 10 })
        .toFile(join(into, `${uid.replace('pagestream-', '')}.png`))
    }
  } finally {
    await browser.close()
  }
}

const found = values.demo ? await answerOfDemo() : await answer(values.prometheus, { scrapeSeconds: Number(values.scrape) })
mkdirSync(values.out, { recursive: true })
const page = resolve(values.out, 'index.html')
writeFileSync(page, drawPage(found.answered))
writeFileSync(join(values.out, 'answers.json'), JSON.stringify(found))
const panels = found.answered.flatMap((each) => each.panels).filter(({ panel }) => panel.type !== 'row')
const empty = panels.filter(({ queries }) => queries.every(({ series }) => series.length === 0))
console.log(`${page}: ${panels.length} panels, ${empty.length} of them without data`)
if (values.pictures) await takePictures(page, values.pictures)
