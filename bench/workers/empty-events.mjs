/** Topics of five stages and the one behind them. */
export const hops = ['documents', 'pages.rendered', 'pages.gated', 'pages.layout', 'pages.recognized', 'documents.assembled']

const source = { name: 'bench.pdf', path: `store:inputs/${'a'.repeat(64)}`, mediaType: 'application/pdf', bytes: 1, sha256: 'a'.repeat(64) }
const page = { documentId: '', revision: 'c'.repeat(64), pageIndex: 0, pageCount: 1, ocr: 'auto', source }
const frame = { width: 612, height: 792, angle: 0 }
const ref = { key: `tmp/${'b'.repeat(200)}.json` }
const gated = { page, frame, textLayer: ref, opened: ref, gate: 'text-layer', modelUsed: false, verdict: ref }

/** One payload of each topic, up to a kilobyte and more as on a cluster. */
const payloads = {
  documents: { documentId: '', revision: 'c'.repeat(64), source, ocr: 'auto' },
  'pages.rendered': { page, frame, textLayer: ref, opened: ref },
  'pages.gated': gated,
  'pages.layout': { ...gated, blocks: ref },
  'pages.recognized': { kind: 'page', page, status: 'ok', result: ref, opened: ref },
  'documents.assembled': {
    documentId: '',
    revision: 'c'.repeat(64),
    status: 'complete',
    pages: 1,
    failedPages: 0,
    source,
    outputs: ['document.json', 'document.md'],
  },
}

/** Such a record, about one document. */
export function recordFor(topic, documentId) {
  const payload = payloads[topic]
  return { topic, key: documentId, payload: 'page' in payload ? { ...payload, page: { ...payload.page, documentId } } : { ...payload, documentId } }
}
