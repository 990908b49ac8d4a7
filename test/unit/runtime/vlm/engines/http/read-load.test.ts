import { describe, expect, it } from 'vitest'
import { llamaServerLoad, lmdeployLoad, sglangLoad, vllmLoad } from '../../../../../../src/runtime/vlm/engines/http/load-names.ts'
import { readLoad } from '../../../../../../src/runtime/vlm/engines/http/read-load.ts'

describe('readLoad', () => {
  it('sums what several engines of one server say', () => {
    const text = [
      '# TYPE vllm:num_requests_running gauge',
      'vllm:num_requests_running{engine="0",model_name="a b{}\\"c"} 3.0',
      'vllm:num_requests_running{engine="1",model_name="m"} 4.0',
      'vllm:num_requests_waiting{engine="0",model_name="m"} 1.0',
      'vllm:num_requests_waiting{engine="1",model_name="m"} 1.0',
    ].join('\n')
    expect(readLoad(text, vllmLoad)).toEqual({ running: 7, waiting: 2 })
  })

  it('counts only what waits for room where the reasons are told', () => {
    const text = [
      'vllm:num_requests_running 3',
      'vllm:num_requests_waiting{model_name="m"} 9',
      'vllm:num_requests_waiting_by_reason{reason="deferred",model_name="m"} 7',
      'vllm:num_requests_waiting_by_reason{reason="capacity",model_name="m"} 2',
    ].join('\n')
    expect(readLoad(text, vllmLoad)).toEqual({ running: 3, waiting: 2 })
  })

  it('takes whole names, and a name with or without _total', () => {
    const other = 'sglang:num_running_reqs_max 9\nsglang:num_queue_reqs 1\n'
    expect(readLoad(other, sglangLoad)).toBeUndefined()
    expect(readLoad(`${other}sglang:num_running_reqs_total 2\n`, sglangLoad)).toEqual({ running: 2, waiting: 1 })
  })

  it('keeps absent apart from 0', () => {
    expect(readLoad('llamacpp:requests_processing 0\n', llamaServerLoad)).toBeUndefined()
    expect(readLoad('llamacpp:requests_processing 0\nllamacpp:requests_deferred 0\n', llamaServerLoad)).toEqual({ running: 0, waiting: 0 })
    expect(readLoad('', llamaServerLoad)).toBeUndefined()
  })

  it('adds what waits in front of the engine, where it is told', () => {
    const text = 'lmdeploy:num_requests_running{a="b"} 2.0 1700000000\nlmdeploy:num_requests_waiting 1\n'
    expect(readLoad(text, lmdeployLoad)).toEqual({ running: 2, waiting: 1 })
    expect(readLoad(`${text}lmdeploy:num_api_requests_waiting 5\n`, lmdeployLoad)).toEqual({ running: 2, waiting: 6 })
  })

  it('passes over broken lines and figures that are none', () => {
    const text = 'sglang:num_running_reqs{a="b 7\nsglang:num_running_reqs NaN\nsglang:num_running_reqs{} 1\nsglang:num_queue_reqs{x="\\\\"} 2'
    expect(readLoad(text, sglangLoad)).toEqual({ running: 1, waiting: 2 })
    expect(readLoad(`sglang:num_running_reqs{${'a="b",'.repeat(10_000)} 7`, sglangLoad)).toBeUndefined()
  })
})
