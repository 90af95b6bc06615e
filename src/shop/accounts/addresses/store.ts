import type { Db } from '#store/database.ts'
import { idIn } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import { saveRevision } from '#store/save-revision.ts'
import type { Instant } from '#values/instant.ts'
import type { AddressState } from './rules.ts'
import type { AddressRow } from './table.ts'

const byId = prepareQuery((db: Db, param: { userId: number; id: number }) =>
  db
    .selectFrom('addresses')
    .selectAll()
    .where('id', '=', param.id)
    .where('user_id', '=', param.userId),
)

/** Returns the address of a user with this ID. */
export const findAddress = (db: Db, userId: number, id: number): Promise<AddressRow | undefined> =>
  byId.first(db, { userId, id })

const byUser = prepareQuery((db: Db, param: { userId: number }) =>
  db.selectFrom('addresses').selectAll().where('user_id', '=', param.userId).orderBy('id'),
)

/** Returns all addresses of a user, the oldest first. */
export const findAddresses = (db: Db, userId: number): Promise<AddressRow[]> =>
  byUser.all(db, { userId })

/** Returns one page of the addresses of a user. */
export const listAddresses = (
  db: Db,
  userId: number,
  page: PageRequest,
): Promise<PageResult<AddressRow>> =>
  paginate(
    db.selectFrom('addresses').where('user_id', '=', userId),
    { id: 'id', created_at: 'created_at', updated_at: 'updated_at' },
    page,
    (rows) => rows.selectAll('addresses'),
    { isFew: true },
  )

const clear = prepareQuery((db: Db, param: { userId: number; now: Instant }) =>
  db
    .updateTable('addresses')
    .set((eb) => ({
      is_default: eb.lit(0),
      revision: eb('revision', '+', eb.lit(1)),
      updated_at: param.now,
    }))
    .where('user_id', '=', param.userId)
    .where((eb) => eb('is_default', '=', eb.lit(1))),
)

/** Leaves a user without a default address; the transaction must set another. */
export const clearDefault = (db: Db, userId: number, now: Instant): Promise<number> =>
  clear.run(db, { userId, now })

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

type Defaultable = AddressState & { readonly is_default: number }

/** Inserts an address. */
export const insertAddress = (
  db: Db,
  userId: number,
  state: Defaultable,
  now: Instant,
): Promise<AddressRow> =>
  db
    .insertInto('addresses')
    .values({ ...state, user_id: userId, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()

/** Updates an address to its next revision. Throws StaleWriteError when it has changed. */
export const saveAddress = (
  db: Db,
  current: AddressRow,
  state: Defaultable,
  now: Instant,
): Promise<AddressRow> => saveRevision(db, 'addresses', current, state, now)

const deleteOne = prepareQuery((db: Db, param: { id: number }) =>
  db.deleteFrom('addresses').where('id', '=', param.id),
)

/** Deletes an address. */
export const deleteAddress = (db: Db, id: number): Promise<number> => deleteOne.run(db, { id })

const deleteAll = prepareQuery((db: Db, param: { userId: number }) =>
  db.deleteFrom('addresses').where('user_id', '=', param.userId),
)

/** Deletes all addresses of a user. */
export const deleteAddresses = (db: Db, userId: number): Promise<number> =>
  deleteAll.run(db, { userId })

/** Gives addresses to another user; `keepsDefault` where that user has none. */
export async function moveAddresses(
  db: Db,
  ids: readonly number[],
  { userId, keepsDefault }: { readonly userId: number; readonly keepsDefault: boolean },
  now: Instant,
): Promise<void> {
  await db
    .updateTable('addresses')
    .set((eb) => ({
      user_id: userId,
      ...(keepsDefault ? {} : { is_default: 0 }),
      revision: eb('revision', '+', 1),
      updated_at: now,
    }))
    .where(idIn(db, 'addresses.id', ids))
    .execute()
}
