import type { InputTensor } from './detector-input.ts'
import type { Bytes } from './resample.ts'
import { resample } from './resample.ts'

/** Height of a line as the recognisers were trained. */
export const lineHeight = 48

/** Wider lines were never seen in training; squeezing them ruins the text, so they are split. */
export const maxLineWidth = 3200

/** A time step covers 8 pixels: other widths would lose their last pixels. */
const multiple = 8

/** Width of a crop at the recogniser's height, not limited. */
export const scaledWidth = (width: number, height: number): number => Math.max(1, Math.ceil((lineHeight * width) / height))

/** A line ready to be read. `inkWidth` columns hold the crop, the rest up to `width` is grey. */
export interface LineTensor extends InputTensor {
  readonly inkWidth: number
}

/** The recogniser's input for a crop: 48 high, -1..1, B G R, the right side filled up with grey (0). */
export function recognizerInput(crop: Bytes): LineTensor {
  const inkWidth = Math.min(maxLineWidth, scaledWidth(crop.width, crop.height))
  const width = Math.ceil(inkWidth / multiple) * multiple
  const planes = resample(crop, inkWidth, lineHeight)
  const data = new Float32Array(3 * lineHeight * width)
  for (let channel = 0; channel < 3; channel++) {
    const plane = (crop.channels === 1 ? planes[0] : planes[2 - channel]) as Float32Array
    for (let y = 0; y < lineHeight; y++) {
      const target = (channel * lineHeight + y) * width
      const source = y * inkWidth
      for (let x = 0; x < inkWidth; x++) data[target + x] = (plane[source + x] as number) / 127.5 - 1
    }
  }
  return { data, width, height: lineHeight, inkWidth }
}
