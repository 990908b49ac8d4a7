import { expect, it } from 'vitest'

const url = 'postgres://me:secret@db.example.com:5433/pagestream'
const { open } = (await import(new URL('../../../examples/rag-sink/database.mjs', import.meta.url).href)) as {
  open(db: { connect(): Promise<void>; query(sql: string): Promise<unknown> }, url: string): Promise<void>
}

const clientThat = (connect: () => Promise<void>, query: (sql: string) => Promise<unknown> = async () => undefined) => ({ connect, query })

it('says on one line that the database cannot be reached, where, and nothing of the password', async () => {
  // As `pg` rejects when no address of a host answers: without a message.
  const refused = Object.assign(new AggregateError([new Error('connect ECONNREFUSED ::1:5433')]), { code: 'ECONNREFUSED' })
  const opening = open(
    clientThat(() => Promise.reject(refused)),
    url,
  )
  await expect(opening).rejects.toThrow(
    /^the database at db\.example\.com:5433\/pagestream cannot be used: ECONNREFUSED; set DATABASE_URL, and see that Postgres runs there$/,
  )
})

it('says so of a database that is reached and refuses the table', async () => {
  const refusing = clientThat(
    async () => {},
    () => Promise.reject(new Error('permission denied for schema public\nand more')),
  )
  await expect(open(refusing, url)).rejects.toThrow(/cannot be used: permission denied for schema public; set/)
})
