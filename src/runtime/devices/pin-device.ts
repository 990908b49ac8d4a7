import { surroundingEnvironment } from '../../config/places.ts'
import { setProcessEnvironment } from '../../config/process-environment.ts'
import { type Device, deviceEnvironment } from './device.ts'
import { findDevice, type Machine } from './find-device.ts'

const thisMachine = (): Machine => ({ env: surroundingEnvironment(), platform: process.platform, arch: process.arch })

let pinned: Device | undefined

/**
 * Finds the device and lets this process, its threads and its children see it alone. To be called once, where the process starts, before any
 * library of models is loaded: these look when they are loaded, and never again. Rejects with `configuration`.
 */
export async function pinDevice(text: string): Promise<Device> {
  const device = await findDevice(text, thisMachine())
  setProcessEnvironment(deviceEnvironment(device))
  pinned = device
  return device
}

/** The device that the process is pinned to, else the one that the text names. Rejects with `configuration`. */
export const presentDevice = async (text: string): Promise<Device> => pinned ?? findDevice(text, thisMachine())

/** The device that the process is pinned to, undefined before. */
export const deviceInfo = (): Device | undefined => pinned
