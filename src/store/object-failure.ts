import { PagestreamError } from '../schema/failure.ts'

export const objectMissing = (key: string, cause?: unknown): PagestreamError =>
  new PagestreamError('artifact-missing', `reading ${key} from the store: there is no such object`, { cause })

export const objectDamaged = (key: string): PagestreamError =>
  new PagestreamError('artifact-missing', `reading ${key} from the store: its bytes are not those that were written`)

export const fileChanged = (path: string): PagestreamError => new PagestreamError('input-changed', `storing ${path}: it was changed after it was hashed`)

export const objectTooLarge = (key: string, bytes: number, maxBytes: number): PagestreamError =>
  new PagestreamError('document-too-large', `reading ${key}: its ${bytes} bytes are more than the ${maxBytes} that are allowed`)
