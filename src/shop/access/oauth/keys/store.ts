import { sql } from 'kysely'
import type { Row } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { prepareSql } from '#store/query/prepared.ts'
import { oauthKeys } from './table.ts'

/** A row of `oauth_keys`. */
export type OauthKeyRow = Row<(typeof oauthKeys)['schemas']>

/** Every key, newest first. */
export const findKeys = (db: Db): Promise<readonly OauthKeyRow[]> =>
  oauthKeys.findAll(db, {}, { order: '-number' })

const insert = prepareSql(
  (_: Db, { number, kid, sealed, signs_from, created_at }: OauthKeyRow) => sql`
    insert into oauth_keys (number, kid, sealed, signs_from, created_at)
    values (${number}, ${kid}, ${sealed}, ${signs_from}, ${created_at})
    on conflict (number) do nothing`,
)

/** Inserts a key, unless one with its number exists. */
export const insertKey = (db: Db, row: OauthKeyRow): Promise<number> => insert.run(db, row)

const deleteUpTo = prepareSql(
  (_: Db, param: { number: number }) => sql`delete from oauth_keys where number <= ${param.number}`,
)

/** Deletes the keys up to and including this number. */
export const deleteKeysUpTo = (db: Db, number: number): Promise<number> =>
  deleteUpTo.run(db, { number })
