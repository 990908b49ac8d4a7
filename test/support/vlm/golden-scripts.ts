import sharp from 'sharp'
import type { VlmFamily } from '../../../src/runtime/vlm/page-reader.ts'
import { asksForPage, blockAnswer, pageAnswer } from './page-grammars.ts'
import { type ScriptedBlock, type ScriptedPage, scriptedPage } from './page-script.ts'
import { type Place, placeOf } from './place-colours.ts'
import type { StubPicture, StubScript } from './stub-options.ts'

/** The colour at a place of the picture, in fractions of its sides. */
async function colourAt(picture: StubPicture, x: number, y: number): Promise<[number, number, number]> {
  const { data, info } = await sharp(picture.bytes()).removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  const at = (Math.floor((info.height - 1) * y) * info.width + Math.floor((info.width - 1) * x)) * info.channels
  const [red = 0, green = red, blue = red] = data.subarray(at, at + info.channels)
  return [red, green, blue]
}

const pageAt = (pages: readonly ScriptedPage[], { page }: Place): ScriptedPage => pages[page % pages.length] ?? { blocks: [] }

/**
 * Answers from the colours of `colouredPixels`: the page is told by its corner, the block by the middle of its crop. Only right cutting, scaling, turning
 * and pairing of questions bring the right words. Pictures of other origin are taken for some page.
 */
export function colourScript(family: VlmFamily, pages: readonly ScriptedPage[]): StubScript {
  return async ({ prompt, pictures: [picture] }) => {
    if (picture === undefined) return ''
    if (asksForPage(family, prompt)) return pageAnswer(family, pageAt(pages, placeOf(await colourAt(picture, 0, 0))))
    const place = placeOf(await colourAt(picture, 0.5, 0.5))
    const block = place.block === undefined ? undefined : pageAt(pages, place).blocks[place.block]
    return block === undefined ? '' : blockAnswer(block)
  }
}

/** By the words of the prompts: what a block of that kind is asked with. */
function kindOfPrompt(prompt: string): 'text' | 'table' | 'equation' {
  if (/table/i.test(prompt)) return 'table'
  return /formula/i.test(prompt) ? 'equation' : 'text'
}

/**
 * Answers of realistic lengths by the prompt alone, without a look at the picture: for speeds. Pages take turns over `pages` scripts, blocks over the
 * blocks of their kind.
 */
export function lengthScript(family: VlmFamily, pages = 64): StubScript {
  const scripts = Array.from({ length: pages }, (_, index) => scriptedPage(index))
  const answersOf = (kind: ScriptedBlock['kind']) => scripts.flatMap(({ blocks }) => blocks.filter((block) => block.kind === kind).map(blockAnswer))
  const answers = { text: answersOf('text'), table: answersOf('table'), equation: answersOf('equation') }
  let turn = 0
  return ({ prompt }) => {
    turn += 1
    const page = scripts[turn % scripts.length]
    if (page !== undefined && asksForPage(family, prompt)) return pageAnswer(family, page)
    const ofKind = answers[kindOfPrompt(prompt)]
    return ofKind[turn % ofKind.length] ?? ''
  }
}
