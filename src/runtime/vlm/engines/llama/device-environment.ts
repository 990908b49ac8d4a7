/** What of the environment decides which devices the library sees. */
export type DeviceEnvironment = Readonly<Record<string, string>>

/** CUDA sees none. Vulkan builds are told by the settings of the model alone: a list of no devices is an error to them. */
const cpuOnly: DeviceEnvironment = { CUDA_VISIBLE_DEVICES: '' }

/**
 * Pins a process to `vlm.engine.device` before it loads a library: `cpu`, `cuda:N`, the UUID of a GPU or of a part of one; `auto` leaves
 * everything as it is.
 */
export function deviceEnvironment(device: string): DeviceEnvironment {
  if (device === 'auto') return {}
  if (device === 'cpu') return cpuOnly
  const index = /^cuda:(\d{1,4})$/.exec(device)?.[1]
  return index === undefined ? { CUDA_VISIBLE_DEVICES: device } : { CUDA_VISIBLE_DEVICES: index, GGML_VK_VISIBLE_DEVICES: index }
}
