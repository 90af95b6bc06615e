import { type Kysely, sql } from 'kysely'
import { dialectOf } from '#store/query/dialect.ts'
import type { Tables } from '#store/tables/tables.ts'
import { dayMs } from '#values/instant.ts'
import {
  addColumn,
  createIndex,
  createTable,
  dropIndex,
  id,
  integer,
  optionalText,
  text,
} from './table-builder.ts'

/** The lifetime of every grant made before this migration. */
const grantLifetimeMs = 365 * dayMs

/** Creates the table of consents, with one for each user and client of existing grants. */
export async function createOauthConsents(db: Kysely<Tables>): Promise<void> {
  await createTable(db, 'oauth_consents', {
    id,
    user_id: integer(),
    client_id: text(),
    expires_at: integer(),
    revision: integer((column) => column.defaultTo(1)),
    created_at: integer(),
    updated_at: integer(),
  })
  await createIndex(db, 'oauth_consents', ['user_id', 'client_id'], { unique: true })
  await createIndex(db, 'oauth_consents', ['expires_at'])
  await addColumn(db, 'oauth_artefacts', 'granted_scope', optionalText())
  await dropIndex(db, 'oauth_artefacts', ['user_id'])
  await createIndex(db, 'oauth_artefacts', ['user_id', 'client_id'])
  await sql`
    insert into oauth_consents (user_id, client_id, expires_at, created_at, updated_at)
    select user_id, client_id, max(expires_at),
      min(expires_at) - ${sql.lit(grantLifetimeMs)}, max(expires_at) - ${sql.lit(grantLifetimeMs)}
    from oauth_artefacts
    where kind = 'Grant' and user_id is not null and client_id is not null
    group by user_id, client_id`.execute(db)
  await setGrantedScopes(db)
}

/** Takes the scopes from the audit events of the consents, since the payload of a grant is encrypted. */
async function setGrantedScopes(db: Kysely<Tables>): Promise<void> {
  const member = (name: string) =>
    dialectOf(db) === 'sqlite'
      ? sql`audit_events.details ->> ${sql.lit(name)}`
      : sql`audit_events.details::jsonb ->> ${sql.lit(name)}`
  await sql`
    update oauth_artefacts set granted_scope = (
      select ${member('scope')} from audit_events
      where action = 'oauth_consent_given' and subject_id = oauth_artefacts.user_id
        and ${member('client_id')} = oauth_artefacts.client_id
      order by id desc limit 1)
    where kind = 'Grant'`.execute(db)
}
