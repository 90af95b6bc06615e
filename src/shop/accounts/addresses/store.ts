import { sql } from 'kysely'
import type { Db } from '#store/database.ts'
import { prepareSql } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import { addresses } from './table.ts'

/** Leaves a user without a default address; the transaction must set another. */
export const clearDefault = (db: Db, userId: number, now: Instant): Promise<number> =>
  addresses.revise(db, { user_id: userId, is_default: true }, { is_default: false }, now)

const makeOldestDefault = prepareSql(
  (_: Db, { userId, now }: { userId: number; now: Instant }) => sql`
    update addresses set is_default = 1, revision = revision + 1, updated_at = ${now}
    where id = (select min(id) from addresses where user_id = ${userId})`,
)

/** Makes the oldest address of a user the default; there must be none. */
export const setOldestDefault = (db: Db, userId: number, now: Instant): Promise<number> =>
  makeOldestDefault.run(db, { userId, now })

/** Gives addresses to another user; `keepsDefault` where that user has none. */
export async function moveAddresses(
  db: Db,
  id: readonly number[],
  { userId, keepsDefault }: { readonly userId: number; readonly keepsDefault: boolean },
  now: Instant,
): Promise<void> {
  const changes = { user_id: userId, ...(keepsDefault ? {} : { is_default: false }) }
  await addresses.revise(db, { id }, changes, now)
}
