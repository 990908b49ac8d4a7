/** Whether pictures of pages are read. */
export const ocrModes = ['auto', 'always', 'never'] as const
export type OcrMode = (typeof ocrModes)[number]
