/** `1 page`, `2 pages`; where another plural is given, `1 copy`, `2 copies`. */
export const counted = (count: number, word: string, plural = `${word}s`): string => `${count} ${count === 1 ? word : plural}`
