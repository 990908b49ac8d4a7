/** Two ways through the same workers: `live` goes first, `bulk` is sure of a share. */
export const lanes = ['live', 'bulk'] as const
export type Lane = (typeof lanes)[number]
