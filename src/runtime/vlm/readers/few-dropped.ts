/** From this share of pieces that are no block on, an answer is asked for once more. */
const mostDropped = 0.2

/** Whether so few pieces of an answer are no block that the others can be trusted. */
export const fewDropped = (blocks: number, dropped: number): boolean => dropped <= mostDropped * (blocks + dropped)
