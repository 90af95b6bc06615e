import { type Kysely, sql } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import {
  addColumn,
  createIndex,
  createTable,
  id,
  integer,
  optionalInteger,
  optionalText,
  text,
} from './table-builder.ts'

const zero = integer((column) => column.defaultTo(0))

/** Creates the tables of mails and adds to users their language and whether their address is confirmed. */
export async function createMails(db: Kysely<Tables>): Promise<void> {
  await createMailTables(db)
  await addColumn(
    db,
    'users',
    'language',
    text((column) => column.defaultTo(sql.lit('en'))),
  )
  await addColumn(db, 'users', 'email_verified', zero)
  await addColumn(db, 'users', 'confirmation_mailed_at', optionalInteger())
  // Whoever is a user already asks for a confirmation.
  await sql`update users set confirmation_mailed_at = created_at where email is not null`.execute(
    db,
  )
  // Events of the past cause no mails.
  await sql`insert into settings (name, value)
    select 'mails.sequence', cast(coalesce(max(sequence), 0) as text) from events`.execute(db)
}

async function createMailTables(db: Kysely<Tables>): Promise<void> {
  await createTable(db, 'mails', {
    id,
    mail_key: text((column) => column.unique()),
    kind: text(),
    user_id: optionalInteger(),
    order_id: optionalInteger(),
    token_hash: optionalText(),
    amount_minor: optionalInteger(),
    status: text((column) => column.defaultTo(sql.lit('pending'))),
    attempts: zero,
    next_attempt_at: integer(),
    error: optionalText(),
    sent_at: optionalInteger(),
    created_at: integer(),
  })
  await createIndex(db, 'mails', ['next_attempt_at'], { where: sql`status = 'pending'` })
  await createIndex(db, 'mails', ['user_id', 'id'])
  await createIndex(db, 'mails', ['created_at'])
  await createTable(db, 'mail_requests', {
    id,
    kind: text(),
    email: optionalText(),
    user_id: optionalInteger(),
    created_at: integer(),
  })
  await createIndex(db, 'mail_requests', ['user_id'], { where: sql`user_id is not null` })
  await createTable(db, 'account_tokens', {
    token_hash: text((column) => column.primaryKey()),
    salt: text(),
    purpose: text(),
    user_id: integer(),
    email_key: text(),
    expires_at: integer(),
    created_at: integer(),
  })
  await createIndex(db, 'account_tokens', ['user_id'])
  await createIndex(db, 'account_tokens', ['expires_at'])
}
