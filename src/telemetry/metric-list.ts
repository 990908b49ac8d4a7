/** A metric as it is documented and served. Labels come from closed lists or from the machine, never from documents. */
export interface MetricSpec {
  readonly name: `pagestream_${string}`
  readonly type: 'counter' | 'gauge'
  readonly unit: 'pages' | 'windows' | 'documents' | 'blocks' | 'words' | 'seconds' | 'bytes' | 'partitions' | 'tokens' | 'none'
  readonly labels: readonly (
    | 'stage'
    | 'lane'
    | 'outcome'
    | 'reason'
    | 'class'
    | 'verdict'
    | 'status'
    | 'state'
    | 'kind'
    | 'source'
    | 'device'
    | 'name'
    | 'driver'
    | 'finish'
    | 'code'
  )[]
  /** One sentence for people. */
  readonly help: string
}

const ofStage = ['stage', 'lane'] as const

/** Every metric that a worker serves: the only list, from which the page of metrics is made and against which dashboards are checked. */
export const metricList = [
  { name: 'pagestream_up', type: 'gauge', unit: 'none', labels: [], help: '1 while the worker has joined its groups and is not told to stop.' },
  {
    ...{ name: 'pagestream_pages_total', type: 'counter', unit: 'pages', labels: [...ofStage, 'outcome'] },
    help: 'Pages that a stage has finished: ok, or failed for good.',
  },
  {
    ...{ name: 'pagestream_retries_total', type: 'counter', unit: 'none', labels: ofStage },
    help: 'Tries of pages and records that failed and were made again.',
  },
  {
    ...{ name: 'pagestream_dead_letters_total', type: 'counter', unit: 'none', labels: [...ofStage, 'class'] },
    help: 'Pages and records that failed for good, by class of failure.',
  },
  { name: 'pagestream_windows_total', type: 'counter', unit: 'windows', labels: ofStage, help: 'Windows that a stage has begun to work on.' },
  {
    ...{ name: 'pagestream_window_pages_total', type: 'counter', unit: 'pages', labels: ofStage },
    help: 'Pages of these windows: divided by the windows, how full they were.',
  },
  {
    ...{ name: 'pagestream_windows_closed_total', type: 'counter', unit: 'windows', labels: [...ofStage, 'reason'] },
    help: 'Windows that were closed, and why: so many pages, so much work, so many bytes, age, nobody at work, drain.',
  },
  {
    ...{ name: 'pagestream_busy_seconds_total', type: 'counter', unit: 'seconds', labels: ofStage },
    help: 'Seconds during which a stage worked on at least one window; counted when none is left.',
  },
  { name: 'pagestream_commits_total', type: 'counter', unit: 'none', labels: ofStage, help: 'Commits of offsets that the broker has taken.' },
  {
    ...{ name: 'pagestream_stale_commits_total', type: 'counter', unit: 'none', labels: ofStage },
    help: 'Commits that came too late, as the partition had another owner: the records come again there.',
  },
  { name: 'pagestream_rebalances_total', type: 'counter', unit: 'none', labels: ofStage, help: 'Times that the partitions of a stage were assigned anew.' },
  { name: 'pagestream_partitions', type: 'gauge', unit: 'partitions', labels: ofStage, help: 'Partitions that a stage of this worker reads.' },
  { name: 'pagestream_pages_in_flight', type: 'gauge', unit: 'pages', labels: ofStage, help: 'Pages that a stage has taken in and not finished.' },
  {
    ...{ name: 'pagestream_records_held_bytes', type: 'gauge', unit: 'bytes', labels: ofStage },
    help: 'Bytes of records that a stage has taken in and not finished: at most worker.maxBufferedBytes, and one fetch of each broker.',
  },
  {
    ...{ name: 'pagestream_intake', type: 'gauge', unit: 'none', labels: [...ofStage, 'state'] },
    help: '1 for the state of the intake: open, waiting for an engine or store, or stopped as too much failed.',
  },
  {
    ...{ name: 'pagestream_stalled_seconds', type: 'gauge', unit: 'seconds', labels: ofStage },
    help: 'Seconds for which pages have been in hand and none was finished.',
  },
  {
    ...{ name: 'pagestream_gate_verdicts_total', type: 'counter', unit: 'pages', labels: ['lane', 'verdict'] },
    help: 'Pages by what the gate says of them.',
  },
  {
    ...{ name: 'pagestream_gate_without_model_total', type: 'counter', unit: 'pages', labels: ['lane'] },
    help: 'Pages that the gate decided without a model.',
  },
  { name: 'pagestream_blocks_total', type: 'counter', unit: 'blocks', labels: ['lane'], help: 'Blocks that were read.' },
  {
    ...{ name: 'pagestream_block_sources_total', type: 'counter', unit: 'blocks', labels: ['lane', 'source'] },
    help: 'Blocks by what their content came from: text layer, line reader, vision-language model, what stands in where that could not read them, or nothing.',
  },
  {
    ...{ name: 'pagestream_vlm_asks_total', type: 'counter', unit: 'none', labels: ['lane'] },
    help: 'Questions that were sent to the vision-language model, those that were sent again too.',
  },
  {
    ...{ name: 'pagestream_vlm_answers_total', type: 'counter', unit: 'none', labels: ['lane', 'finish'] },
    help: 'Answers by how they ended: stop by themselves, length at their limit of tokens, stopped by a guard as they ran in circles.',
  },
  {
    ...{ name: 'pagestream_vlm_failures_total', type: 'counter', unit: 'none', labels: ['lane', 'code'] },
    help: 'Questions that have failed for good, by code of failure.',
  },
  { name: 'pagestream_vlm_retries_total', type: 'counter', unit: 'none', labels: ['lane'], help: 'Questions that were sent again.' },
  {
    ...{ name: 'pagestream_vlm_tokens_total', type: 'counter', unit: 'tokens', labels: ['lane', 'kind'] },
    help: 'Tokens as the engine counts them: of prompts, pictures included, and of output. Their rate is tokens per second.',
  },
  {
    ...{ name: 'pagestream_vlm_first_token_seconds_total', type: 'counter', unit: 'seconds', labels: ['lane'] },
    help: 'Sum over answers of the time to their first token: divided by the answers, the mean.',
  },
  {
    ...{ name: 'pagestream_vlm_answer_seconds_total', type: 'counter', unit: 'seconds', labels: ['lane'] },
    help: 'Sum over answers of the time to their end.',
  },
  {
    ...{ name: 'pagestream_vlm_busy_seconds_total', type: 'counter', unit: 'seconds', labels: ['lane'] },
    help: 'Seconds with at least one question under way.',
  },
  {
    ...{ name: 'pagestream_vlm_slot_seconds_total', type: 'counter', unit: 'seconds', labels: ['lane'] },
    help: 'Sum of the times that slots were used: its rate divided by the slots is how full the engine is kept.',
  },
  {
    ...{ name: 'pagestream_vlm_slots', type: 'gauge', unit: 'none', labels: ['lane', 'state'] },
    help: 'Slots of the engine: all that it has, allowed at the moment, used.',
  },
  { name: 'pagestream_vlm_waiting', type: 'gauge', unit: 'none', labels: ['lane'], help: 'Questions that wait in the worker for a slot.' },
  {
    ...{ name: 'pagestream_title_levels_total', type: 'counter', unit: 'documents', labels: ['lane', 'outcome'] },
    help: 'Documents whose headings a model was asked to give levels: told, or kept as they were without an answer that counts.',
  },
  { name: 'pagestream_lost_words_total', type: 'counter', unit: 'words', labels: ['lane'], help: 'Trusted words of text layers that no block holds.' },
  {
    ...{ name: 'pagestream_documents_total', type: 'counter', unit: 'documents', labels: ['lane', 'status'] },
    help: 'Documents that have come to their end: complete, partial or failed.',
  },
  {
    ...{ name: 'pagestream_process_memory_bytes', type: 'gauge', unit: 'bytes', labels: ['kind'] },
    help: 'Memory of the process: rss is all of it, heap what JavaScript uses, external what buffers hold.',
  },
  {
    ...{ name: 'pagestream_device_info', type: 'gauge', unit: 'none', labels: ['device', 'name', 'driver'] },
    help: '1 for the device that models run on, with its name and the version of its driver; nothing where no device was asked for.',
  },
  { name: 'pagestream_process_cpu_seconds_total', type: 'counter', unit: 'seconds', labels: [], help: 'Processor time of the process, all threads.' },
  { name: 'pagestream_process_start_seconds', type: 'gauge', unit: 'seconds', labels: [], help: 'When the process was started, seconds since 1970.' },
  {
    ...{ name: 'pagestream_event_loop_lag_seconds', type: 'gauge', unit: 'seconds', labels: ['kind'] },
    help: 'By how much timers were late since the last scrape: p50, p99 and max.',
  },
] as const satisfies readonly MetricSpec[]

export type MetricName = (typeof metricList)[number]['name']
