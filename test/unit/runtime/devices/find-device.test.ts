import { describe, expect, it } from 'vitest'
import { deviceEnvironment, parseDevice } from '../../../../src/runtime/devices/device.ts'
import { findDevice, type Machine } from '../../../../src/runtime/devices/find-device.ts'
import { parseGpus } from '../../../../src/runtime/devices/nvidia-smi.ts'
import { fakeNvidiaSmi, fakeProgram } from '../../../support/fake-nvidia-smi.ts'

const two = [
  { index: 0, uuid: 'GPU-aaaa1111', freeMiB: 1000 },
  { index: 1, uuid: 'GPU-bbbb2222', freeMiB: 20_000 },
]
const divided = { index: 2, uuid: 'GPU-cccc3333', totalMiB: 81_920, parts: ['MIG-dddd4444', 'MIG-eeee5555'] }

const linux = (PATH: string, more: Record<string, string> = {}): Machine => ({ env: { PATH, ...more }, platform: 'linux', arch: 'x64' })

describe('findDevice', () => {
  it('takes the GPU with the most free memory when left to choose', async () => {
    const device = await findDevice('auto', linux(fakeNvidiaSmi(two)))
    expect(device).toMatchObject({ kind: 'cuda', id: 'cuda:1', name: 'NVIDIA L4', driver: '580.95.05', computeCapability: 8.9 })
    expect(device.memoryBytes).toBe(23_034 * 1024 ** 2)
  })

  it('chooses among those that CUDA_VISIBLE_DEVICES lets through, by number and by the beginning of a UUID', async () => {
    const path = fakeNvidiaSmi(two)
    expect((await findDevice('auto', linux(path, { CUDA_VISIBLE_DEVICES: '0' }))).id).toBe('cuda:0')
    expect((await findDevice('auto', linux(path, { CUDA_VISIBLE_DEVICES: 'GPU-aaaa' }))).id).toBe('cuda:0')
    expect((await findDevice('auto', linux(path, { CUDA_VISIBLE_DEVICES: '-1' }))).id).toBe('cpu')
    expect((await findDevice('auto', linux(path, { CUDA_VISIBLE_DEVICES: '' }))).id).toBe('cpu')
  })

  it('takes a part and never the whole of a GPU that is divided', async () => {
    const device = await findDevice('auto', linux(fakeNvidiaSmi([divided])))
    expect(device).toMatchObject({ id: 'MIG-dddd4444', name: 'NVIDIA L4 1g.10gb', memoryBytes: 10 * 1024 ** 3 })
  })

  it('finds GPUs by number and by UUID, and their parts', async () => {
    const machine = linux(fakeNvidiaSmi([...two, divided]))
    expect((await findDevice('cuda:0', machine)).id).toBe('cuda:0')
    expect((await findDevice('GPU-bbbb2222', machine)).id).toBe('GPU-bbbb2222')
    expect((await findDevice('MIG-eeee5555', machine)).id).toBe('MIG-eeee5555')
  })

  it('says what is there when a device is not', async () => {
    const machine = linux(fakeNvidiaSmi(two))
    await expect(findDevice('cuda:7', machine)).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('cuda:1 (NVIDIA L4, GPU-bbbb2222)'),
    })
    await expect(findDevice('MIG-eeee5555', machine)).rejects.toMatchObject({ code: 'configuration' })
  })

  it('says why there is no GPU at all, and runs on the processor when left to choose', async () => {
    const none = linux(fakeProgram('other', ''))
    await expect(findDevice('cuda:0', none)).rejects.toThrow(/nvidia-smi is not installed/)
    await expect(findDevice('cuda:0', linux(fakeProgram('nvidia-smi', 'echo "No devices were found"; exit 6')))).rejects.toThrow(/No devices were found/)
    expect((await findDevice('auto', none)).id).toBe('cpu')
  })

  it('asks nobody for the processor, and takes the GPU of a Mac', async () => {
    expect((await findDevice('cpu', linux('/nowhere'))).kind).toBe('cpu')
    expect((await findDevice('auto', { env: {}, platform: 'darwin', arch: 'arm64' })).kind).toBe('metal')
  })
})

describe('parseDevice', () => {
  it.each(['gpu', 'cuda', 'cuda:-1', 'cuda:1234', '0', 'GPU-', ''])('refuses %j', (text) => {
    expect(() => parseDevice(text)).toThrow(/choosing a device/)
  })
})

describe('deviceEnvironment', () => {
  it('lets a process see one GPU alone, numbered as nvidia-smi numbers it', () => {
    expect(deviceEnvironment({ kind: 'cuda', id: 'cuda:3' })).toEqual({ CUDA_DEVICE_ORDER: 'PCI_BUS_ID', CUDA_VISIBLE_DEVICES: '3' })
    expect(deviceEnvironment({ kind: 'cuda', id: 'MIG-1' }).CUDA_VISIBLE_DEVICES).toBe('MIG-1')
  })

  it('hides every GPU from a process that is to run on the processor', () => {
    expect(deviceEnvironment({ kind: 'cpu', id: 'cpu' }).CUDA_VISIBLE_DEVICES).toBe('-1')
  })
})

describe('parseGpus', () => {
  it('reads names with commas and values that the driver does not know', () => {
    const [gpu] = parseGpus('0, GPU-1, Some, odd name, 470.1, 16384, 16000, [N/A], [N/A]\n')
    expect(gpu).toMatchObject({ name: 'Some, odd name', driver: '470.1', memoryBytes: 16 * 1024 ** 3, divided: false })
    expect(gpu).not.toHaveProperty('computeCapability')
  })

  it('reads nothing from what is no table', () => {
    expect(parseGpus('NVIDIA-SMI has failed\n')).toEqual([])
  })
})
