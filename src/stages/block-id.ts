import { hash } from 'node:crypto'
import type { Box } from '../schema/geometry.ts'
import type { PageRef } from '../schema/page.ts'

/** 16 hexadecimal digits: 64 bits, enough for the blocks of one document. */
const digits = 16

const digest = (parts: readonly (string | number)[]): string => hash('sha256', JSON.stringify(parts), 'hex').slice(0, digits)

/** The identity of a block: the same whenever and wherever the same revision of the document is read. */
export const blockId = (page: PageRef, order: number): string => digest([page.documentId, page.revision, page.pageIndex, order])

/** Where the picture of a block lies, beside document.json. */
export const imagePath = (page: PageRef, box: Box): string => `images/${digest([page.documentId, page.pageIndex, ...box])}.png`
