import type { VlmFamily } from '../../page-reader.ts'
import type { ServerPlan } from './server-plan.ts'

const gigabyte = 1e9

/**
 * Share of the memory of a GPU that a server may take for weights and cache, by the makers' own launchers; MinerU2.5's is small and leaves room
 * for others. A card that is called one of 8 GB has somewhat more or less.
 */
export function memoryShare(family: VlmFamily, memoryBytes: number): number {
  const small = memoryBytes <= 9 * gigabyte
  switch (family) {
    case 'mineru2.5':
      return small ? 0.7 : 0.5
    case 'unlimited-ocr':
      return small ? 0.9 : 0.8
    case 'teleocr':
      return 0.95
  }
}

/** Cells of the cache that one question needs in llama.cpp: a page's picture, its prompt and a long answer. */
export const slotCells = 8192

/** Weights with projector and working memory, and the cache of one slot (16 bits a value), in bytes. */
const needs: Readonly<Record<VlmFamily, { readonly fixed: number; readonly slot: number }>> = {
  'mineru2.5': { fixed: 3.6 * gigabyte, slot: slotCells * 12_288 },
  'unlimited-ocr': { fixed: 5 * gigabyte, slot: slotCells * 61_440 },
  teleocr: { fixed: 4.9 * gigabyte, slot: slotCells * 115_000 },
}

/** More gain nothing: a processor is busy with few, and llama.cpp encodes pictures one after another. */
const mostSlots = { cpu: 4, metal: 8, cuda: 32 } as const

/** Slots of llama-server that the memory of a device holds. */
export function slotsFor(family: VlmFamily, { kind, memoryBytes }: ServerPlan['device']): number {
  const { fixed, slot } = needs[family]
  return Math.max(1, Math.min(mostSlots[kind], Math.floor((memoryBytes * 0.9 - fixed) / slot)))
}
