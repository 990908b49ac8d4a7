/** Which metrics say how many questions a server works on and how many wait. Names are whole; counts under several labels are summed. */
export interface LoadNames {
  readonly running: string
  /** Alternatives, the best first: of each, all parts are summed, and those that are absent are left out while one is there. */
  readonly waiting: readonly (readonly MetricPart[])[]
}

export interface MetricPart {
  readonly name: string
  /** Only samples with these labels. */
  readonly labels?: Readonly<Record<string, string>>
}

/** Prompts that are read in several steps count as waiting, without any overload: where the reasons are told, only want of room counts. */
export const vllmLoad: LoadNames = {
  running: 'vllm:num_requests_running',
  waiting: [[{ name: 'vllm:num_requests_waiting_by_reason', labels: { reason: 'capacity' } }], [{ name: 'vllm:num_requests_waiting' }]],
}

export const sglangLoad: LoadNames = { running: 'sglang:num_running_reqs', waiting: [[{ name: 'sglang:num_queue_reqs' }]] }

export const lmdeployLoad: LoadNames = {
  running: 'lmdeploy:num_requests_running',
  waiting: [[{ name: 'lmdeploy:num_requests_waiting' }, { name: 'lmdeploy:num_api_requests_waiting' }]],
}

export const llamaServerLoad: LoadNames = { running: 'llamacpp:requests_processing', waiting: [[{ name: 'llamacpp:requests_deferred' }]] }
