import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A script of the tiny model: which prompt and which mean colour of the picture bring which answer. */
export interface TinyScript {
  readonly mode: string
  /** Red, green, blue, each 0 or 1; null: any other colour; `none`: no picture. */
  readonly colour: string | null
  /** What the model writes, end token included where it ends by itself. */
  readonly answer: string
  /** How many tokens that is. */
  readonly tokens: number
}

/** A vision-language model of 3 MB that answers from a fixed script: real weights and a real projector for llama.cpp, no training. */
export interface TinyModel {
  readonly model: string
  readonly projector: string
  readonly scripts: readonly TinyScript[]
  /** Words of a prompt that choose a mode. */
  readonly words: Readonly<Record<string, readonly string[]>>
}

const folder = fileURLToPath(new URL('../../../../shared/models/tiny-vlm/', import.meta.url))

/** The tiny model beside the repository; answers with what is missing where there is none. */
export function tinyModel(): TinyModel | { readonly missing: string } {
  const [model, projector, scripts] = ['tiny-vlm.gguf', 'mmproj-tiny-vlm.gguf', 'tiny-vlm.scripts.json'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  if (![model, projector, scripts].every((path) => existsSync(path))) return { missing: 'the tiny vision-language model in ../shared/models/tiny-vlm' }
  const { scripts: list, modeWords } = JSON.parse(readFileSync(scripts, 'utf8')) as { scripts: TinyScript[]; modeWords: Record<string, string[]> }
  return { model, projector, scripts: list, words: modeWords }
}
