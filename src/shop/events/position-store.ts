import type { Db } from '#store/database.ts'
import { settings } from '#store/own-tables.ts'
import { prepareQuery } from '#store/query/prepared.ts'

const insert = prepareQuery((db: Db, param: { name: string }) =>
  db
    .insertInto('settings')
    .values({ name: param.name, value: '0' })
    .onConflict((conflict) => conflict.column('name').doNothing()),
)

/**
 * Returns the position of a consumer of the feed: the sequence number of the last event that it has
 * handled, in the row of `settings` with this name.
 */
export const consumerPosition = (name: string) => ({
  /** Returns the position; 0 before the first event. */
  find: async (db: Db): Promise<number> => Number((await settings.find(db, { name }))?.value ?? 0),
  /** As `find`, and locks the position until the transaction ends. */
  lock: async (transactionDb: Db): Promise<number> => {
    const row = await settings.find(transactionDb, { name }, { locks: true })
    if (row) return Number(row.value)
    await insert.run(transactionDb, { name })
    return Number((await settings.find(transactionDb, { name }, { locks: true }))?.value ?? 0)
  },
  /** Stores the position, which the transaction has locked. */
  save: async (transactionDb: Db, sequence: number): Promise<void> => {
    await settings.update(transactionDb, { name }, { value: String(sequence) })
  },
})
