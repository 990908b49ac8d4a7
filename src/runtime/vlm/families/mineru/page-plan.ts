import { area, coverage, height, width } from '../../../../geometry/box.ts'
import type { BlockAsk, CropRule, FamilyOptions } from '../../family.ts'
import type { FoundBlock } from '../../page-reader.ts'
import { blockAsks } from './asks.ts'
import { type BlockTask, taskOf } from './block-types.ts'
import { pictureTokens } from './picture-tokens.ts'

/** What of a page is asked for, and which of its blocks belong to another. All by index; the same blocks and options give the same plan. */
export interface PagePlan {
  readonly tasks: ReadonlyMap<number, BlockTask>
  /** Tables: the pictures in them, from top to bottom, then from left to right. */
  readonly picturesOf: ReadonlyMap<number, readonly number[]>
  /** Containers of pictures: those in them. */
  readonly subFiguresOf: ReadonlyMap<number, readonly number[]>
  /** Lists: their items. */
  readonly itemsOf: ReadonlyMap<number, readonly number[]>
  /** Containers of formulas: those in them, each in the first that holds it. */
  readonly equationsOf: ReadonlyMap<number, readonly number[]>
  /** Containers of formulas that are all in others. */
  readonly emptied: ReadonlySet<number>
  /** Captions that lie in a picture which is asked about as a whole. */
  readonly innerCaptions: ReadonlySet<number>
}

/** Takes time in proportion to blocks times containers, of which a page has at most `mostBlocks`. */
export function planPage(blocks: readonly FoundBlock[], options: FamilyOptions): PagePlan {
  const of = (...types: string[]): number[] => blocks.flatMap((block, at) => (types.includes(block.type) ? [at] : []))
  const covers = (outer: number, inner: number): number => share(blocks, inner, outer)
  const pictures = of('image', 'chart')
  const picturesOf = group(of('image'), of('table'), (image, tables) => bestTable(blocks, image, tables))
  for (const images of picturesOf.values()) images.sort((a, b) => byPlace(blocks[a], blocks[b]))
  const absorbed = new Set([...picturesOf.values()].flat())
  const subFiguresOf = group(
    pictures.filter((at) => !absorbed.has(at)),
    of('image_block'),
    (picture, containers) => containers.find((container) => covers(container, picture) >= 0.9),
  )
  const subFigures = new Set([...subFiguresOf.values()].flat())
  const itemsOf = group(of('text', 'list_item', 'ref_text'), of('list'), (item, lists) => lists.find((list) => covers(list, item) >= 0.8))
  const [equations, containers] = [of('equation'), of('equation_block')]
  const equationsOf = group(equations, containers, (equation, all) => all.find((container) => covers(container, equation) > 0.9))
  const emptied = new Set(containers.filter((container) => !equationsOf.has(container) && equations.some((equation) => covers(container, equation) > 0.9)))

  const taskAt = (block: FoundBlock, at: number): BlockTask | undefined => {
    if (block.type === 'list') return itemsOf.has(at) ? undefined : 'text'
    if (block.type === 'equation_block') return equationsOf.has(at) || emptied.has(at) ? undefined : 'equation'
    const task = taskOf(block.type)
    if (task !== 'picture') return task
    return options.imageAnalysis && !absorbed.has(at) && !subFigures.has(at) && isLargeEnough(block) ? task : undefined
  }
  const tasks = new Map<number, BlockTask>()
  blocks.forEach((block, at) => {
    const task = taskAt(block, at)
    if (task) tasks.set(at, task)
  })
  const asked = pictures.filter((at) => tasks.has(at))
  const innerCaptions = new Set(of('image_caption').filter((caption) => asked.some((picture) => covers(picture, caption) >= 0.9)))
  for (const caption of innerCaptions) tasks.delete(caption)
  return { tasks, picturesOf, subFiguresOf, itemsOf, equationsOf, emptied, innerCaptions }
}

/** Which blocks are asked about and how. */
export function planAsks(blocks: readonly FoundBlock[], options: FamilyOptions): ReadonlyMap<number, BlockAsk> {
  const { tasks, picturesOf } = planPage(blocks, options)
  const asks = new Map<number, BlockAsk>()
  for (const [at, task] of tasks) {
    const block = blocks[at]
    if (block) asks.set(at, { ask: blockAsks[task], crop: cropOf(block, masksOf(blocks, picturesOf.get(at) ?? [])) })
  }
  return asks
}

const cropOf = (block: FoundBlock, masks: NonNullable<CropRule['masks']>): CropRule => ({
  box: block.box,
  rounding: 'half-even',
  angle: block.angle,
  mostRatio: 50,
  leastSide: 28,
  ...(masks.length > 0 ? { masks } : {}),
})

function masksOf(blocks: readonly FoundBlock[], images: readonly number[]): NonNullable<CropRule['masks']> {
  const tokens = pictureTokens(images.length)
  return images.flatMap((image, nth) => {
    const [block, token] = [blocks[image], tokens[nth]]
    return block && token ? [{ box: block.box, token }] : []
  })
}

/** Pictures under a hundredth of the page are icons: nothing is to be said of them. */
const isLargeEnough = ({ box }: FoundBlock): boolean => (width(box) > 0.1 && height(box) > 0.1) || area(box) > 0.01

/** The table that holds most of a picture; of several the smallest. */
function bestTable(blocks: readonly FoundBlock[], image: number, tables: readonly number[]): number | undefined {
  const size = (at: number): number => area(blocks[at]?.box ?? [0, 0, 0, 0])
  const holding = tables.map((table) => ({ table, held: share(blocks, image, table) })).filter(({ held }) => held >= 0.9)
  return holding.sort((a, b) => b.held - a.held || size(a.table) - size(b.table))[0]?.table
}

function share(blocks: readonly FoundBlock[], inner: number, outer: number): number {
  const [a, b] = [blocks[inner], blocks[outer]]
  return a && b ? coverage(a.box, b.box) : 0
}

const byPlace = (a: FoundBlock | undefined, b: FoundBlock | undefined): number => (a && b ? a.box[1] - b.box[1] || a.box[0] - b.box[0] : 0)

/** Members by the container that each is given to. */
function group(members: readonly number[], containers: readonly number[], choose: (member: number, containers: readonly number[]) => number | undefined) {
  const groups = new Map<number, number[]>()
  for (const member of members) {
    const container = choose(member, containers)
    if (container === undefined) continue
    const others = groups.get(container)
    if (others) others.push(member)
    else groups.set(container, [member])
  }
  return groups
}
