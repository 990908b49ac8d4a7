/** Entries that are looked at; a hostile file may be full of them. */
const maxEntries = 20_000
/** A page dictionary is no longer than this, as far as its unit is looked for. */
const dictionaryBytes = 8192
const key = Buffer.from('/UserUnit')

/**
 * /UserUnit (PDF 32000-1, 7.7.3.3) by object number of the page: points of one unit of user space, for pages that
 * are larger than 200 inches. The engine ignores it and has no question for it, so it is looked up in the file itself;
 * page dictionaries inside compressed object streams are out of reach and count as 1.
 */
export function findUserUnits(file: Buffer): ReadonlyMap<number, number> {
  const units = new Map<number, number>()
  let at = file.indexOf(key)
  for (let count = 0; at >= 0 && count < maxEntries; count++) {
    const value = Number.parseFloat(file.toString('latin1', at + key.length, at + key.length + 24))
    const object = objectBefore(file.toString('latin1', Math.max(0, at - dictionaryBytes), at))
    if (object !== undefined && value > 0 && value <= 1000) units.set(object, value)
    at = file.indexOf(key, at + key.length)
  }
  return units
}

function objectBefore(text: string): number | undefined {
  const end = text.lastIndexOf(' obj')
  const head = /(\d{1,9})\s+\d{1,5}$/.exec(text.slice(Math.max(0, end - 20), Math.max(0, end)))
  return head ? Number(head[1]) : undefined
}
