import type { Db } from '#db/database.ts'
import { prepared } from '#db/query/prepared.ts'
import type { OauthKeyRow } from '#db/tables/oauth-tables.ts'

const all = prepared((db: Db, _: object) =>
  db.selectFrom('oauth_keys').selectAll().orderBy('number', 'desc'),
)

/** Every key, the youngest first. */
export const findKeys = (db: Db): Promise<readonly OauthKeyRow[]> => all.all(db, {})

const insert = prepared((db: Db, param: OauthKeyRow) =>
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

/** Keeps a key, unless somebody else has just made the one of this number. */
export const keepKey = (db: Db, row: OauthKeyRow): Promise<number> => insert.run(db, row)

const removeUpTo = prepared((db: Db, param: { number: number }) =>
  db.deleteFrom('oauth_keys').where('number', '<=', param.number),
)

/** Forgets the keys up to this number. */
export const deleteKeys = (db: Db, number: number): Promise<number> =>
  removeUpTo.run(db, { number })
