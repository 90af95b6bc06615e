import type { Db } from '#store/database.ts'
import { dialectOf } from '#store/query/dialect.ts'
import { prepareQuery } from '#store/query/prepared.ts'

interface Position {
  readonly name: string
}

const stored = prepareQuery((db: Db, param: Position) =>
  db.selectFrom('settings').select('value').where('name', '=', param.name),
)

const storedForUpdate = prepareQuery((db: Db, param: Position) =>
  db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', param.name)
    .$if(dialectOf(db) === 'postgres', (rows) => rows.forUpdate()),
)

const insert = prepareQuery((db: Db, param: Position) =>
  db
    .insertInto('settings')
    .values({ name: param.name, value: '0' })
    .onConflict((conflict) => conflict.column('name').doNothing()),
)

const update = prepareQuery((db: Db, param: Position & { readonly value: string }) =>
  db.updateTable('settings').set({ value: param.value }).where('name', '=', param.name),
)

/**
 * Returns the position of a consumer of the feed: the sequence number of the last event that it has
 * handled, in the row of `settings` with this name.
 */
export const consumerPosition = (name: string) => ({
  /** Returns the position; 0 before the first event. */
  find: async (db: Db): Promise<number> => Number((await stored.first(db, { name }))?.value ?? 0),
  /** As `find`, and locks the position until the transaction ends. */
  lock: async (transactionDb: Db): Promise<number> => {
    const row = await storedForUpdate.first(transactionDb, { name })
    if (row) return Number(row.value)
    await insert.run(transactionDb, { name })
    return Number((await storedForUpdate.first(transactionDb, { name }))?.value ?? 0)
  },
  /** Stores the position, which the transaction has locked. */
  save: async (transactionDb: Db, sequence: number): Promise<void> => {
    await update.run(transactionDb, { name, value: String(sequence) })
  },
})
