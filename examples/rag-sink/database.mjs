// The door to Postgres: what is wrong with it is said on one line.
import { prepare } from './sink.mjs'

/** Connects a client of `pg` and makes the table. Rejects with an error whose message names the place and never the password. */
export async function open(db, url) {
  try {
    await db.connect()
    await prepare(db)
  } catch (error) {
    throw new Error(failureLine(error, url), { cause: error })
  }
}

/** What is wrong and what to do, on one line. */
export function failureLine(error, url) {
  const reason = (error.message || error.code || 'no answer').split('\n', 1)[0]
  return `the database at ${placeOf(url)} cannot be used: ${reason}; set DATABASE_URL, and see that Postgres runs there`
}

function placeOf(url) {
  if (!URL.canParse(url)) return 'DATABASE_URL'
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}
