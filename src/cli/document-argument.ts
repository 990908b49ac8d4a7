import { leastIdCharacters } from '../schema/short-id.ts'

/** What `--document` takes, for help texts. */
export const documentArgument = `its id, or how that begins: at least ${leastIdCharacters} characters`
