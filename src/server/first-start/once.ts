import type { Db, Store } from '#db/database.ts'
import { StartError } from '#src/server/start-error.ts'

/**
 * Stores the currency of a new database and runs `fill` in the same transaction, once across all
 * processes. Resolves to true when this call did so. Throws a StartError when the database has another
 * currency.
 */
export async function initializeOnce(
  store: Pick<Store, 'transaction'>,
  currency: string,
  fill: (db: Db) => Promise<void>,
): Promise<boolean> {
  return await store.transaction(async (db) => {
    // The insert waits for a concurrent process that is filling the database.
    const inserted = await db
      .insertInto('settings')
      .values({ name: 'currency', value: currency })
      .onConflict((conflict) => conflict.doNothing())
      .returning('name')
      .executeTakeFirst()
    if (inserted) {
      await fill(db)
      return true
    }
    const stored = await db
      .selectFrom('settings')
      .select('value')
      .where('name', '=', 'currency')
      .executeTakeFirstOrThrow()
    if (stored.value === currency) return false
    throw new StartError(
      `CURRENCY must be ${stored.value}, not ${currency}: this is the currency of the database`,
    )
  })
}
