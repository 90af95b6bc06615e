import { type Kysely, sql } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import {
  createIndex,
  createTable,
  id,
  integer,
  optionalInteger,
  optionalText,
  text,
} from './table-builder.ts'

/** Creates the table of sessions, with one for each family of existing refresh tokens. */
export async function createSessions(db: Kysely<Tables>): Promise<void> {
  await createTable(db, 'sessions', {
    id,
    user_id: integer(),
    family: text(),
    address: optionalText(),
    ended_at: optionalInteger(),
    expires_at: integer(),
    revision: integer((column) => column.defaultTo(1)),
    created_at: integer(),
    updated_at: integer(),
  })
  await createIndex(db, 'sessions', ['family'], { unique: true })
  await createIndex(db, 'sessions', ['user_id', 'id'])
  await createIndex(db, 'sessions', ['expires_at'])
  await sql`
    insert into sessions (user_id, family, expires_at, created_at, updated_at)
    select user_id, family, max(expires_at), min(created_at), max(created_at)
    from refresh_tokens group by user_id, family`.execute(db)
}
