import type { Db, Store } from '#db/database.ts'
import { StartError } from '#src/server/start-error.ts'

/**
 * Fixes the currency of a new database and runs `fill` in the same transaction: both happen once,
 * whoever else starts, or not at all. Resolves to whether it was this process that did; throws a
 * StartError where the database was begun with another currency.
 */
export async function initializeOnce(
  store: Pick<Store, 'transaction'>,
  currency: string,
  fill: (db: Db) => Promise<void>,
): Promise<boolean> {
  return await store.transaction(async (db) => {
    // The insertion waits for another process that is filling the database.
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
    const kept = await db
      .selectFrom('settings')
      .select('value')
      .where('name', '=', 'currency')
      .executeTakeFirstOrThrow()
    if (kept.value === currency) return false
    throw new StartError(
      `CURRENCY must be ${kept.value}, not ${currency}: the amounts in this database are of it`,
    )
  })
}
