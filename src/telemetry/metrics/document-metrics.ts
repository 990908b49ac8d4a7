import { ofLane, ofLaneBy, type WorkerMetric } from './of-worker.ts'

const lane = ['lane'] as const

/** What was found on pages, and how documents ended. */
export const documentMetrics = [
  {
    ...{ name: 'pagestream_gate_verdicts_total', type: 'counter', unit: 'pages', labels: ['lane', 'verdict'] },
    help: 'Pages by what the gate says of them.',
    read: ofLaneBy('verdict', ({ verdicts }) => verdicts),
  },
  {
    ...{ name: 'pagestream_gate_without_model_total', type: 'counter', unit: 'pages', labels: lane },
    help: 'Pages that the gate decided without a model.',
    read: ofLane(({ pagesWithoutModel }) => pagesWithoutModel),
  },
  { name: 'pagestream_blocks_total', type: 'counter', unit: 'blocks', labels: lane, help: 'Blocks that were read.', read: ofLane(({ blocks }) => blocks) },
  {
    ...{ name: 'pagestream_block_sources_total', type: 'counter', unit: 'blocks', labels: ['lane', 'source'] },
    help: 'Blocks by what their content came from: text layer, line reader, vision-language model, what stands in where that could not read them, or nothing.',
    read: ofLaneBy('source', ({ blockSources }) => blockSources),
  },
  {
    ...{ name: 'pagestream_lost_words_total', type: 'counter', unit: 'words', labels: lane },
    help: 'Trusted words of text layers that no block holds.',
    read: ofLane(({ lostWords }) => lostWords),
  },
  {
    ...{ name: 'pagestream_documents_total', type: 'counter', unit: 'documents', labels: ['lane', 'status'] },
    help: 'Documents that have come to their end: complete, partial or failed.',
    read: ofLaneBy('status', ({ documents }) => documents),
  },
  {
    ...{ name: 'pagestream_document_seconds', type: 'histogram', unit: 'seconds', labels: ['lane', 'status'] },
    help: "From a document's submission until it was assembled.",
    read: ofLaneBy('status', ({ documentSeconds }) => documentSeconds),
  },
] as const satisfies readonly WorkerMetric[]
