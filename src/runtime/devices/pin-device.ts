import { surroundingEnvironment } from '../../config/places.ts'
import { setProcessEnvironment } from '../../config/process-environment.ts'
import { type Device, deviceEnvironment } from './device.ts'
import { findDevice } from './find-device.ts'

let pinned: Device | undefined

/**
 * Finds the device and lets this process, its threads and its children see it alone. To be called once, where the process starts, before any
 * library of models is loaded: these look when they are loaded, and never again. Rejects with `configuration`.
 */
export async function pinDevice(text: string): Promise<Device> {
  const device = await findDevice(text, { env: surroundingEnvironment(), platform: process.platform, arch: process.arch })
  setProcessEnvironment(deviceEnvironment(device))
  pinned = device
  return device
}

/** The device that the process is pinned to, undefined before. */
export const deviceInfo = (): Device | undefined => pinned
