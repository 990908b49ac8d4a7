/** Characters of a document's id by which it may be named, unless they are the whole id. */
export const leastIdCharacters = 8
