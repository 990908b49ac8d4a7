import type { Word } from '../../../schema/text-layer.ts'

/** The word is raised, or begins with a raised mark: `¹The …`. */
export const beginsRaised = (word: Word): boolean => word.raised === 'super' || (word.runs?.[0]?.start === 0 && word.runs[0].raised === 'super')
