import { type SqlBool, sql } from 'kysely'
import { nullable } from '#schema/words.ts'
import { oauthArtefacts } from '#shop/access/oauth/storage/table.ts'
import { integer, text } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { withoutIndex } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { prepareQuery, prepareSql } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import { type ConsentState, withGrants } from './rules.ts'
import { type OauthConsentRow, oauthConsents } from './table.ts'

/** A consent with its client and its current grants. */
export type OauthConsent = OauthConsentRow &
  ConsentState & {
    readonly client_name: string
    readonly oauth_client: number
    readonly client_changed_at: Instant
    readonly client_revision: number
  }

const clientColumns = [
  'oauth_clients.client_name',
  'oauth_clients.id as oauth_client',
  'oauth_clients.updated_at as client_changed_at',
  'oauth_clients.revision as client_revision',
] as const

const withClients = (db: Db) =>
  db
    .selectFrom('oauth_consents')
    .innerJoin('oauth_clients', 'oauth_clients.client_id', 'oauth_consents.client_id')

const byId = prepareQuery((db: Db, param: { id: number }) =>
  withClients(db)
    .selectAll('oauth_consents')
    .select(clientColumns)
    .where('oauth_consents.id', '=', param.id),
)

// Bounded: a user has few grants, in fewer combinations of client and scope.
const grantsByUser = prepareSql(
  (_: Db, { userId, now }: { userId: number; now: Instant }) => sql`
    select client_id, granted_scope, count(*) as count, max(expires_at) as expires_at
    from oauth_artefacts
    where kind = 'Grant' and user_id = ${userId} and expires_at > ${now}
    group by client_id, granted_scope`,
  {
    ...{ client_id: nullable(text), granted_scope: nullable(text) },
    ...{ count: integer, expires_at: integer },
  },
)

async function addGrants<Row extends Pick<OauthConsentRow, 'client_id' | 'expires_at'>>(
  db: Db,
  { userId, now }: { readonly userId: number; readonly now: Instant },
  rows: readonly Row[],
): Promise<(Row & ConsentState)[]> {
  const grants = await grantsByUser.all(db, { userId, now })
  const byClient = Map.groupBy(grants, ({ client_id }) => client_id)
  return rows.map((row) => withGrants(row, byClient.get(row.client_id) ?? []))
}

/** Returns the consent with this ID and its current grants, ended consents included. */
export async function findConsent(
  db: Db,
  id: number,
  now: Instant,
): Promise<OauthConsent | undefined> {
  const row = await byId.first(db, { id })
  if (!row) return undefined
  const [consent] = await addGrants(db, { userId: row.user_id, now }, [row])
  return consent
}

/** Returns one page of the consents of a user that have an unexpired grant. */
export async function listConsents(
  db: Db,
  { userId, now }: { readonly userId: number; readonly now: Instant },
  page: PageRequest,
): Promise<PageResult<OauthConsent>> {
  const active = withClients(db)
    .where('oauth_consents.user_id', '=', userId)
    .where(
      sql<SqlBool>`exists (select grants.id_hash from oauth_artefacts as grants
        where grants.kind = 'Grant' and grants.user_id = oauth_consents.user_id
          and grants.client_id = oauth_consents.client_id and grants.expires_at > ${now})`,
    )
  const columns = {
    id: 'oauth_consents.id',
    created_at: 'oauth_consents.created_at',
    updated_at: 'oauth_consents.updated_at',
  } as const
  const found = await paginate(
    db,
    active,
    columns,
    page,
    (rows) => rows.selectAll('oauth_consents').select(clientColumns),
    { isFew: true },
  )
  return { ...found, rows: await addGrants(db, { userId, now }, found.rows) }
}

/** Deletes every grant of a user to a client, with the codes and tokens issued for them. */
export async function revokeConsent(
  db: Db,
  { id, user_id, client_id }: Pick<OauthConsentRow, 'id' | 'user_id' | 'client_id'>,
  now: Instant,
): Promise<void> {
  await oauthArtefacts.delete(db, { user_id, client_id })
  await oauthConsents.revise(db, { id }, {}, now)
}

const newestByUser = prepareQuery((db: Db, param: { userId: number; limit: number }) =>
  withClients(db)
    .selectAll('oauth_consents')
    .select(clientColumns)
    .where('oauth_consents.user_id', '=', param.userId)
    .orderBy(withoutIndex('oauth_consents.id'), 'desc')
    .limit(param.limit),
)

/** Returns the newest consents of a user, at most `limit`, ended consents included. */
export const consentsForExport = async (
  db: Db,
  userId: number,
  limit: number,
): Promise<OauthConsent[]> =>
  addGrants(db, { userId, now: 0 }, await newestByUser.all(db, { userId, limit }))
