import { StartError } from '#src/server/start-error.ts'
import type { Db, Store } from '#store/database.ts'

/** A setting that the first start of a database fixes. */
export interface FixedSetting {
  /** The name of the row in `settings`, and of the environment variable in upper case. */
  readonly name: 'currency' | 'prices_include_tax'
  readonly value: string
}

/**
 * Stores a setting that is not in the database yet and runs `fill` in the same transaction, once
 * across all processes. Resolves to true when this call did so. Throws a StartError when the database
 * has another value.
 */
export async function initializeOnce(
  store: Pick<Store, 'transaction'>,
  { name, value }: FixedSetting,
  fill: (db: Db) => Promise<void>,
): Promise<boolean> {
  return await store.transaction(async (db) => {
    // The insert waits for a concurrent process that is filling the database.
    const inserted = await db
      .insertInto('settings')
      .values({ name, value })
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
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    if (stored.value === value) return false
    const variable = name.toUpperCase()
    throw new StartError(
      `${variable} must be ${stored.value}, not ${value}: the first start of this database fixed it`,
    )
  })
}
