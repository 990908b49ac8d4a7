import type { StubKind } from './stub-options.ts'

export interface StubFigures {
  readonly running: number
  readonly waiting: number
  readonly promptTokens: number
  readonly outputTokens: number
  readonly answered: number
}

type Lines = (figures: StubFigures, model: string) => readonly string[]

/** Two engines behind one server, whose counts must be summed. */
const halves = (name: string, value: number, model: string): string[] => [
  `${name}{engine="0",model_name="${model}"} ${Math.ceil(value / 2)}.0`,
  `${name}{engine="1",model_name="${model}"} ${Math.floor(value / 2)}.0`,
]

const linesOf: Readonly<Partial<Record<StubKind, Lines>>> = {
  vllm: ({ running, waiting, promptTokens, outputTokens, answered }, model) => [
    '# HELP vllm:num_requests_running Number of requests in model execution batches.',
    '# TYPE vllm:num_requests_running gauge',
    ...halves('vllm:num_requests_running', running, model),
    ...halves('vllm:num_requests_waiting', waiting + 3, model),
    `vllm:num_requests_waiting_by_reason{engine="0",model_name="${model}",reason="capacity"} ${waiting}.0`,
    `vllm:num_requests_waiting_by_reason{engine="0",model_name="${model}",reason="deferred"} 3.0`,
    `vllm:prompt_tokens_total{engine="0",model_name="${model}"} ${promptTokens}.0`,
    `vllm:generation_tokens_total{engine="0",model_name="${model}"} ${outputTokens}.0`,
    `vllm:request_success_total{engine="0",finished_reason="stop",model_name="${model}"} ${answered}.0`,
  ],
  sglang: ({ running, waiting, promptTokens, outputTokens }, model) => [
    `sglang:num_running_reqs{model_name="${model}"} ${running}.0`,
    `sglang:num_queue_reqs{model_name="${model}"} ${waiting}.0`,
    `sglang:prompt_tokens_total{model_name="${model}"} ${promptTokens}.0`,
    `sglang:generation_tokens_total{model_name="${model}"} ${outputTokens}.0`,
  ],
  lmdeploy: ({ running, waiting }, model) => [
    `lmdeploy:num_requests_running{model_name="${model}"} ${running}.0`,
    `lmdeploy:num_requests_waiting{model_name="${model}"} ${waiting}.0`,
    `lmdeploy:num_api_requests_waiting{model_name="${model}"} 0.0`,
  ],
  'llama-server': ({ running, waiting, promptTokens, outputTokens }) => [
    '# HELP llamacpp:requests_processing Number of requests processing.',
    `llamacpp:requests_processing ${running}`,
    `llamacpp:requests_deferred ${waiting}`,
    `llamacpp:prompt_tokens_total ${promptTokens}`,
    `llamacpp:tokens_predicted_total ${outputTokens}`,
  ],
}

/** The page of metrics as that kind of server writes it; undefined where it has none. */
export function stubMetrics(kind: StubKind, figures: StubFigures, model: string): string | undefined {
  const lines = linesOf[kind]
  return lines && `${lines(figures, model).join('\n')}\n`
}
