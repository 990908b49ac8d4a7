/** Where the outputs of a revision of a document lie in the store. */
export const outputPrefix = (documentId: string, revision: string): string => `outputs/${documentId}/${revision}`
