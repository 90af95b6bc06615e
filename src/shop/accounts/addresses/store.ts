import type { Db } from '#store/database.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import { addresses } from './table.ts'

/** Leaves a user without a default address; the transaction must set another. */
export const clearDefault = (db: Db, userId: number, now: Instant): Promise<number> =>
  addresses.revise(db, { user_id: userId, is_default: true }, { is_default: false }, now)

const makeOldestDefault = prepareQuery((db: Db, param: { userId: number; now: Instant }) =>
  db
    .updateTable('addresses')
    .set((eb) => ({
      is_default: eb.lit(1),
      revision: eb('revision', '+', eb.lit(1)),
      updated_at: param.now,
    }))
    .where('id', '=', (eb) =>
      eb
        .selectFrom('addresses')
        .select((oldest) => oldest.fn.min('id').as('id'))
        .where('user_id', '=', param.userId),
    ),
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
