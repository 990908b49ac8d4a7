import type { Survey } from '../survey/survey.ts'
import type { Draft } from './draft.ts'
import { absorbText } from './join-text.ts'

/** Makes one heading of the lines of the document's title. */
export function joinTitle(drafts: readonly Draft[], { title, spelling }: Survey): void {
  const [first, ...others] = title.blockIds.flatMap((id) => drafts.find((draft) => draft.origin.id === id) ?? [])
  if (first) for (const other of others) absorbText(first, other, spelling)
}
