import type { OnnxProvider } from '../../config/config.ts'
import { PagestreamError } from '../../schema/failure.ts'
import type { TextRegion } from '../../schema/page.ts'
import type { Picture } from '../document-reader.ts'
import { loadDictionary } from '../models/dictionary.ts'
import type { LocatedModel } from '../models/locate-model.ts'
import type { ModelSession } from '../onnx/session.ts'
import { openSession } from '../onnx/session.ts'
import type { LineText } from '../text-reader.ts'
import { bestCut, columnInk } from './column-profile.ts'
import type { Alphabet } from './ctc.ts'
import { alphabetOf, confidenceOf, decodeCtc } from './ctc.ts'
import { cornersInPixels, cropLine, isTall, turnedCounterClockwise, turnedOver } from './line-crop.ts'
import { maxLineWidth, recognizerInput, scaledWidth } from './recognizer-input.ts'
import type { Bytes } from './resample.ts'
import type { Corners } from './rotated-rectangle.ts'
import { lineText } from './word-gaps.ts'

/** An upright line that reads worse than this is tried upside down … */
const doubtful = 0.5
/** … and so is every line that runs down the page, unless it reads as well as upside-down writing never does. */
const certain = 0.97
/** A line is cut in two at most so often: pieces of 1/256 of the longest line. */
const maxCuts = 8

interface Reading {
  readonly text: string
  readonly confidence: number
}

/** Reads lines one by one; blocks its thread. One line a call: batches are padded to their widest and lose more than they gain. */
export class Recognizer {
  readonly #session: ModelSession
  readonly #alphabet: Alphabet

  private constructor(session: ModelSession, alphabet: Alphabet) {
    this.#session = session
    this.#alphabet = alphabet
  }

  /** Rejects with `model-failed` when the dictionary does not fit: the model has a class for each line, a blank and a space. */
  static async open(model: LocatedModel, providers: readonly OnnxProvider[]): Promise<Recognizer> {
    const lines = await loadDictionary(model.dictionary ?? { metadata: 'character' }, model.path)
    const session = await openSession(model.path, { inputRank: 4, outputRank: 3 }, providers)
    const classes = session.outputShape.at(-1)
    const alphabet = alphabetOf(lines)
    if (classes !== undefined && classes >= 0) checkClasses(model, lines.length, classes)
    return new Recognizer(session, alphabet)
  }

  async read(picture: Picture, region: TextRegion): Promise<LineText> {
    const drawn = cornersInPixels(region, picture)
    const tall = isTall(drawn)
    const corners = tall ? turnedCounterClockwise(drawn) : drawn
    const first = await this.#readQuad(picture, corners)
    if (first.confidence >= (tall ? certain : doubtful)) return { ...first, turned: false }
    const second = await this.#readQuad(picture, turnedOver(corners))
    return second.confidence > first.confidence ? { ...second, turned: true } : { ...first, turned: false }
  }

  async #readQuad(picture: Picture, corners: Corners): Promise<Reading> {
    const parts = await this.#readCrop(cropLine(picture, corners), maxCuts)
    const written = parts.filter((part) => part.text !== '')
    const characters = written.reduce((sum, part) => sum + part.text.length, 0)
    const confidence = characters > 0 ? written.reduce((sum, part) => sum + part.confidence * part.text.length, 0) / characters : 0
    return { text: written.map((part) => part.text).join(' '), confidence }
  }

  async #readCrop(crop: Bytes, cutsLeft: number): Promise<Reading[]> {
    const line = recognizerInput(crop)
    if (cutsLeft > 0 && scaledWidth(crop.width, crop.height) > maxLineWidth) {
      const cut = Math.round((bestCut(columnInk(line)) * crop.width) / line.inkWidth)
      const left = { ...crop, width: cut }
      const right = { ...crop, data: crop.data.subarray(cut * crop.channels), width: crop.width - cut }
      return [...(await this.#readCrop(left, cutsLeft - 1)), ...(await this.#readCrop(right, cutsLeft - 1))]
    }
    const output = await this.#session.run(line.data, [1, 3, line.height, line.width])
    const [, steps, classes] = output.dims
    if (steps === undefined || classes !== this.#alphabet.classes.length) {
      throw new PagestreamError('model-failed', `reading a line: the model has ${classes} classes, its dictionary needs ${this.#alphabet.classes.length}`)
    }
    const read = decodeCtc(output.data, steps, this.#alphabet)
    return [{ text: lineText(read, line, steps), confidence: Math.round(confidenceOf(read) * 1e4) / 1e4 }]
  }
}

function checkClasses(model: LocatedModel, lines: number, classes: number): void {
  if (classes === lines + 2) return
  throw new PagestreamError(
    'model-failed',
    `loading the model ${model.path}: it has ${classes} classes, but its dictionary has ${lines} lines (${classes - 2} are needed)`,
  )
}
