/** Pixels that may be painted: rows top to bottom, no padding. */
export interface Pixels {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
  readonly channels: 1 | 3
}
