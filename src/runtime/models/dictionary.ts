import { readFile } from 'node:fs/promises'
import { PagestreamError } from '../../schema/failure.ts'
import type { DictionaryPlace } from './locate-model.ts'
import { readOnnxMetadata } from './onnx-metadata.ts'

/**
 * The entries of a dictionary, one a line. Entries may be white space (U+3000) or repeated,
 * and every one counts: nothing is trimmed, dropped or made unique, or all later characters shift.
 */
export function dictionaryEntries(text: string): string[] {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Reads the dictionary of a line reader. Rejects with `model-failed` when the model file holds none. */
export async function loadDictionary(place: DictionaryPlace, modelPath: string): Promise<string[]> {
  if ('file' in place) return dictionaryEntries(await readFile(place.file, 'utf8'))
  const text = await readOnnxMetadata(modelPath, place.metadata)
  if (text === undefined) throw new PagestreamError('model-failed', `reading the dictionary of ${modelPath}: its metadata has no "${place.metadata}"`)
  return dictionaryEntries(text)
}
