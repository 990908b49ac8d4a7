import { describe, expect, it } from 'vitest'
import { deviceEnvironment } from '../../../../../../src/runtime/vlm/engines/llama/device-environment.ts'

describe('the devices that a process sees', () => {
  it.each([
    ['auto', {}],
    ['cpu', { CUDA_VISIBLE_DEVICES: '' }],
    ['cuda:3', { CUDA_VISIBLE_DEVICES: '3', GGML_VK_VISIBLE_DEVICES: '3' }],
    ['GPU-8932f937-d72c-4106-c12f-20bd9faed9f6', { CUDA_VISIBLE_DEVICES: 'GPU-8932f937-d72c-4106-c12f-20bd9faed9f6' }],
  ])('for %s', (device, environment) => {
    expect(deviceEnvironment(device)).toEqual(environment)
  })
})
