import { loadavg } from 'node:os'
import { conditions } from './conditions.mjs'
import { controlContender, mineruContender, nodeContender } from './contender.mjs'
import { installPythonPeers, peerVersion } from './install-peers.mjs'
import { median, report } from './report.mjs'
import { blockPagesFile, modelConfig, recordedPages } from './vlm/recorded-pages.mjs'
import { startStub } from './vlm/stub-process.mjs'

const seeds = Array.from({ length: 16 }, (_, seed) => seed)
/** Speeds near those of a model of 1.2 billion parameters on one large GPU: one answer is written fast, many share what there is. */
const prefill = 60_000
const loads = [
  { slots: 1, pages: 6, decode: 300, total: 300, prefill },
  { slots: 16, pages: 44, decode: 100, total: 1600, prefill },
  { slots: 64, pages: 80, decode: 40, total: 2560, prefill },
]
const quick = { slots: 16, decode: 1e6, total: 1e7, prefill: 1e9 }
const questionsAPage = 14

/** pagestream from the moment at which its engine has proved itself: the document is opened, rendered, looked at, read, put together and written. */
async function product(worker, stub, { slots, pages }) {
  const ready = stub.nextAnswer()
  const answer = await worker.ask({ files: [blockPagesFile(pages, seeds)], config: modelConfig(stub.url, slots) })
  return { ...answer, wallMs: answer.endedAt - (await ready) }
}

/** Who is measured, in the order of the turns. */
function contendersFor(worker, control, mineru, recorded) {
  const mineruAsk =
    (renders) =>
    (stub, { slots, pages }) =>
      mineru.ask({ url: stub.url, slots, file: blockPagesFile(pages, seeds), renders })
  return [
    { label: 'pagestream', measure: (stub, load) => product(worker, stub, load) },
    { label: 'control', measure: (stub, { slots, pages }) => control.ask({ url: stub.url, slots, pages, recorded }) },
    ...(mineru
      ? [
          { label: 'mineru-vl-utils', isPeer: true, measure: mineruAsk(false) },
          { label: 'mineru-vl-utils, rendering', isPeer: true, measure: mineruAsk(true) },
        ]
      : []),
  ]
}

async function sample({ label, measure }, stub, load, round) {
  const before = await stub.figures()
  const { wallMs, cpuMs, highestMb } = await measure(stub, load)
  const after = await stub.figures()
  const asked = after.asked - before.asked
  if (asked < load.pages * questionsAPage) throw new Error(`${label} asked ${asked} questions about ${load.pages} pages`)
  const made = {
    ...{ contender: label, slots: load.slots, round, wallMs, cpuMs, highestMb, asked },
    pagesPerSecond: (1000 * load.pages) / wallMs,
    slotUse: (1000 * (after.busySeconds - before.busySeconds)) / (load.slots * wallMs),
    tokensAPage: (after.outputTokens - before.outputTokens) / load.pages,
    load: Number(loadavg()[0]?.toFixed(2)),
  }
  console.error(
    `slots ${load.slots} round ${round}  ${label}: ${made.pagesPerSecond.toFixed(3)} pages/s, slots ${(100 * made.slotUse).toFixed(1)} % used, ${(cpuMs / load.pages).toFixed(0)} ms CPU a page, ${highestMb ?? '-'} MB, load ${made.load}`,
  )
  return made
}

async function samplesOf(load, rounds, recorded, python) {
  const [worker, control] = [nodeContender('pagestream', 'pagestream'), controlContender()]
  const mineru = python ? mineruContender(python) : undefined
  const warmUp = await startStub(quick)
  const stub = await startStub(load)
  const samples = []
  try {
    const list = contendersFor(worker, control, mineru, recorded)
    for (const { measure } of list) await measure(warmUp, { ...load, pages: 4 })
    for (let round = 1; round <= rounds; round++) {
      const turns = [...list.slice((round - 1) % list.length), ...list.slice(0, (round - 1) % list.length)]
      for (const each of turns) if (round === 1 || !each.isPeer) samples.push(await sample(each, stub, load, round))
    }
  } finally {
    for (const each of [worker, control, mineru]) each?.close()
    warmUp.close()
    stub.close()
  }
  return samples
}

/** Pages a second of the whole chain with a vision-language model, against a bare loop that sends the same questions, on a stub of an engine. */
export async function vlmEfficiency({ rounds = 3, save }) {
  const started = conditions()
  const python = installPythonPeers('python-vlm')
  const recorded = await recordedPages(seeds)
  const only = process.env.BENCH_SLOTS?.split(',').map(Number)
  const samples = []
  for (const load of loads.filter(({ slots }) => only?.includes(slots) ?? true)) samples.push(...(await samplesOf(load, rounds, recorded, python)))

  const labels = [...new Set(samples.map(({ contender }) => contender))]
  const used = loads.filter(({ slots }) => samples.some((each) => each.slots === slots))
  const of = (label, slots, key) => median(samples.filter((each) => each.contender === label && each.slots === slots).map((each) => each[key]))
  const at = (label, slots, round) => samples.find((each) => each.contender === label && each.slots === slots && each.round === round)
  const ratios = (label, slots) =>
    samples
      .filter((each) => each.contender === label && each.slots === slots)
      .map((each) => each.pagesPerSecond / at('control', slots, each.round).pagesPerSecond)
  const ratio = (label, slots) => median(ratios(label, slots))
  const percent = (value) => `${(100 * value).toFixed(1)} %`
  report({
    name: 'vlm-efficiency',
    title: 'The whole chain with a vision-language model, against a bare loop',
    conditions: {
      ...started,
      loadAtEnd: Number(loadavg()[0]?.toFixed(2)),
      rounds,
      family: 'mineru2.5 at a stub of vLLM, a process of its own on the same machine',
      'tokens a page': Math.round(median(samples.map(({ tokensAPage }) => tokensAPage))),
      ...(python ? { peers: { 'mineru-vl-utils': peerVersion('mineru-vl-utils'), pypdfium2: peerVersion('pypdfium2') } } : {}),
    },
    tables: used.map(({ slots, pages, decode, total }) => ({
      heading: `${slots} ${slots === 1 ? 'slot' : 'slots'}: ${pages} pages of 13 blocks; ${decode} tokens a second in a slot, ${total} in all`,
      rows: labels.map((label) => ({
        contender: label,
        'pages a second': of(label, slots, 'pagesPerSecond').toFixed(3),
        'of the control': percent(ratio(label, slots)),
        'slots in use': percent(of(label, slots, 'slotUse')),
        'CPU seconds a page': (of(label, slots, 'cpuMs') / 1000 / pages).toFixed(3),
        ...{ 'highest MB': label === 'control' ? '–' : of(label, slots, 'highestMb').toFixed(0), n: ratios(label, slots).length },
      })),
    })),
    notes: [
      'Control: a loop that holds the bodies of the same questions ready, recorded from pagestream, and sends as many at once as there are slots, the blocks of pages that were begun before the layouts of others. It parses nothing.',
      'pagestream: from the first answer of the engine, with which it is tried, to the last written file: opening, rendering, layout, recognition, assembly, output (JSON and Markdown). Process, code and threads are warm from another document. CPU and memory are of its whole process, the start of the engine included.',
      'MinerU’s client: the pages as pictures that are ready, or rendered by pypdfium2 within the time, a window of up to 64 before its questions, as MinerU does. It neither puts a document together nor writes one.',
      'Ratios are medians over rounds of the ratio within a round; contenders take turns, another one first in each round; MinerU’s client is measured in the first round alone. Slots in use: slot-seconds in which the stub worked, over slots and time.',
      'The engine shares the cores with whoever asks it, and so did other work: see the load.',
    ],
    ratio: used.map(({ slots }) => `${slots} ${slots === 1 ? 'slot' : 'slots'}: ${ratio('pagestream', slots).toFixed(3)}`).join(', '),
    data: { samples },
    save,
  })
}
