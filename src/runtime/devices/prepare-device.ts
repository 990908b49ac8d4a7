import type { Config } from '../../config/config.ts'
import { pinDevice } from './pin-device.ts'

type DeviceConfig = Pick<Config, 'device' | 'models' | 'vlm'>

/**
 * Pins this process to the device of the configuration where anything of it runs on one, and checks that what runs ONNX models is installed.
 * To be called before models are loaded. Rejects with `configuration`.
 */
export async function prepareDevice(config: DeviceConfig): Promise<void> {
  if (usesDevice(config)) await pinDevice(config.device)
  if (config.models.providers.every((provider) => provider === 'cpu')) return
  const { checkProviders, providerBuild } = await import('../onnx/providers.ts')
  checkProviders(config.models.providers, await providerBuild())
}

/** Asking for GPUs takes time, and most runs need none. */
function usesDevice({ device, models, vlm }: DeviceConfig): boolean {
  if (device !== 'auto') return true
  if (models.providers.some((provider) => provider === 'cuda' || provider === 'tensorrt')) return true
  return vlm.family !== 'none' && (vlm.engine.managed || vlm.engine.kind === 'llama-cpp')
}
