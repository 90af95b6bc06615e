import type { Selectable } from 'kysely'
import type { Db } from '#store/database.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { Tables } from '#store/tables.ts'

/** A row of `oauth_keys`. */
export type OauthKeyRow = Selectable<Tables['oauth_keys']>

const selectAll = prepareQuery((db: Db, _: object) =>
  db.selectFrom('oauth_keys').selectAll().orderBy('number', 'desc'),
)

/** Every key, newest first. */
export const findKeys = (db: Db): Promise<readonly OauthKeyRow[]> => selectAll.all(db, {})

const insert = prepareQuery((db: Db, param: OauthKeyRow) =>
  db
    .insertInto('oauth_keys')
    .values({
      number: param.number,
      kid: param.kid,
      sealed: param.sealed,
      signs_from: param.signs_from,
      created_at: param.created_at,
    })
    .onConflict((conflict) => conflict.column('number').doNothing()),
)

/** Inserts a key, unless one with its number exists. */
export const insertKey = (db: Db, row: OauthKeyRow): Promise<number> => insert.run(db, row)

const deleteUpTo = prepareQuery((db: Db, param: { number: number }) =>
  db.deleteFrom('oauth_keys').where('number', '<=', param.number),
)

/** Deletes the keys up to and including this number. */
export const deleteKeysUpTo = (db: Db, number: number): Promise<number> =>
  deleteUpTo.run(db, { number })
