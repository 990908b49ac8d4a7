import type { ScriptedPage } from './page-script.ts'
import { pngOf } from './png.ts'

/** Which page and which block a colour stands for; `block` undefined: the paper. */
export interface Place {
  readonly page: number
  readonly block: number | undefined
}

/** 5 bits a channel, each in the middle of its step: scaling and decoding may shift a colour by a few steps of 256. */
const shade = (bits: number): number => (bits & 31) * 8 + 4
const bitsOf = (value: number): number => value >> 3
const paper = 127
/** Pages that colours tell apart. */
export const mostColouredPages = 256

export function colourOf({ page, block = paper }: Place): [number, number, number] {
  const code = ((page % mostColouredPages) << 7) | (block & paper)
  return [shade(code >> 10), shade(code >> 5), shade(code)]
}

export function placeOf([red, green, blue]: readonly [number, number, number]): Place {
  const code = (bitsOf(red) << 10) | (bitsOf(green) << 5) | bitsOf(blue)
  const block = code & paper
  return { page: code >> 7, block: block === paper ? undefined : block }
}

/** The page drawn so that each block has a colour of its own: a crop tells what it was cut from. RGB, row by row. */
export function colouredPixels({ blocks }: ScriptedPage, page: number, width: number, height: number): Uint8Array {
  const pixels = new Uint8Array(width * height * 3)
  const fill = (colour: readonly number[], x0: number, y0: number, x1: number, y1: number) => {
    for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++) pixels.set(colour, (y * width + x) * 3)
  }
  fill(colourOf({ page, block: undefined }), 0, 0, width, height)
  for (const [block, { box }] of blocks.entries()) {
    const [x0, y0, x1, y1] = box
    const column = (value: number) => Math.round((value * width) / 1000)
    const row = (value: number) => Math.round((value * height) / 1000)
    fill(colourOf({ page, block }), column(x0), row(y0), column(x1), row(y1))
  }
  return pixels
}

export const colouredPng = (script: ScriptedPage, page: number, width: number, height: number): Uint8Array =>
  pngOf(width, height, colouredPixels(script, page, width, height))
