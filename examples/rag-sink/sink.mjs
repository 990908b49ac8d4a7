// Chunks into Postgres. `db` is one connection with `query(sql, parameters)`: a client of `pg`, or PGlite.
import { readFile } from 'node:fs/promises'

const upsert = `
  insert into chunks (id, document_id, headings, text, pages, places, record_offset) values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (id) do update set document_id = excluded.document_id, headings = excluded.headings, text = excluded.text,
    pages = excluded.pages, places = excluded.places, record_offset = excluded.record_offset
  where chunks.record_offset <= excluded.record_offset`
const remove = 'delete from chunks where id = $1 and record_offset <= $2'

/** Makes the table where it is missing; one statement at a time, as a prepared query takes no more. */
export async function prepare(db) {
  const sql = await readFile(new URL('schema.sql', import.meta.url), 'utf8')
  for (const statement of sql.split(';\n')) if (statement.trim() !== '') await db.query(statement)
}

/** All records of a batch in one transaction. Writing them again changes nothing; a record without a value takes its chunk away. */
export async function write(db, messages) {
  await db.query('begin')
  try {
    for (const message of messages) await writeOne(db, message)
    await db.query('commit')
  } catch (error) {
    await db.query('rollback')
    throw error
  }
}

async function writeOne(db, { key, value, offset }) {
  if (value === null) return db.query(remove, [key.toString(), offset])
  const { id, documentId, headings, text, pages, places } = JSON.parse(value.toString())
  return db.query(upsert, [id, documentId, headings.join(' > '), text, pages, JSON.stringify(places), offset])
}

/**
 * Reads `topic` until `consumer` is stopped. The offset is committed after the transaction: a crash between the two brings
 * the batch again, which does no harm.
 */
export async function sink({ consumer, db, topic, onBatch = () => {} }) {
  await consumer.subscribe({ topic, fromBeginning: true })
  await consumer.run({
    autoCommit: false,
    eachBatch: async ({ batch }) => {
      await write(db, batch.messages)
      await consumer.commitOffsets([{ topic, partition: batch.partition, offset: String(BigInt(batch.lastOffset()) + 1n) }])
      onBatch(batch.messages.length)
    },
  })
}
