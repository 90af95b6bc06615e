import type { Db } from '#db/database.ts'
import { type PageRequest, type PageResult, paginate } from '#db/query/page.ts'
import { prepared } from '#db/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import { type ConsentState, type Grants, withGrants } from './rules.ts'
import type { OauthConsentRow } from './table.ts'

/** A consent, the client it was given to, and what of it stands. */
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

const byId = prepared((db: Db, param: { id: number }) =>
  withClients(db)
    .selectAll('oauth_consents')
    .select(clientColumns)
    .where('oauth_consents.id', '=', param.id),
)

// Of one user there are few grants, and of those only as many kinds as were asked for.
const grantsOf = prepared((db: Db, param: { userId: number; now: Instant }) =>
  db
    .selectFrom('oauth_artefacts')
    .select((eb) => [
      'client_id',
      'granted_scope',
      eb.fn.countAll<number>().as('count'),
      eb.fn.max<number>('expires_at').as('expires_at'),
    ])
    .where('kind', '=', 'Grant')
    .where('user_id', '=', param.userId)
    .where('expires_at', '>', param.now)
    .groupBy(['client_id', 'granted_scope']),
)

async function readGrants<Row extends Pick<OauthConsentRow, 'client_id' | 'expires_at'>>(
  db: Db,
  { userId, now }: { readonly userId: number; readonly now: Instant },
  rows: readonly Row[],
): Promise<(Row & ConsentState)[]> {
  const grants = await grantsOf.all(db, { userId, now })
  const byClient = Map.groupBy<string | null, Grants & { client_id: string | null }>(
    grants,
    ({ client_id }) => client_id,
  )
  return rows.map((row) => withGrants(row, byClient.get(row.client_id) ?? []))
}

/** The consent with this identifier, with what of it stands now; one that is over included. */
export async function findConsent(
  db: Db,
  id: number,
  now: Instant,
): Promise<OauthConsent | undefined> {
  const row = await byId.first(db, { id })
  if (!row) return undefined
  const [consent] = await readGrants(db, { userId: row.user_id, now }, [row])
  return consent
}

/** One page of the consents of a user that stand now. */
export async function listConsents(
  db: Db,
  { userId, now }: { readonly userId: number; readonly now: Instant },
  page: PageRequest,
): Promise<PageResult<OauthConsent>> {
  const standing = withClients(db)
    .where('oauth_consents.user_id', '=', userId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('oauth_artefacts as given')
          .select('given.id_hash')
          .where('given.kind', '=', 'Grant')
          .whereRef('given.user_id', '=', 'oauth_consents.user_id')
          .whereRef('given.client_id', '=', 'oauth_consents.client_id')
          .where('given.expires_at', '>', now),
      ),
    )
  const columns = {
    id: 'oauth_consents.id',
    created_at: 'oauth_consents.created_at',
    updated_at: 'oauth_consents.updated_at',
  } as const
  const found = await paginate(standing, columns, page, (rows) =>
    rows.selectAll('oauth_consents').select(clientColumns),
  )
  return { ...found, rows: await readGrants(db, { userId, now }, found.rows) }
}

type Pair = Pick<OauthConsentRow, 'id' | 'user_id' | 'client_id'>

const dropPayloads = prepared((db: Db, param: { userId: number; clientId: string }) =>
  db
    .deleteFrom('oauth_artefacts')
    .where('user_id', '=', param.userId)
    .where('client_id', '=', param.clientId),
)

const touch = prepared((db: Db, param: { id: number; now: Instant }) =>
  db
    .updateTable('oauth_consents')
    .set((eb) => ({ revision: eb('revision', '+', eb.lit(1)), updated_at: param.now }))
    .where('id', '=', param.id),
)

/** Withdraws every grant of a user to a client, and all codes and tokens that were issued for them. */
export async function revokeConsent(
  db: Db,
  { id, user_id: userId, client_id: clientId }: Pair,
  now: Instant,
): Promise<void> {
  await dropPayloads.run(db, { userId, clientId })
  await touch.run(db, { id, now })
}

const dropAll = prepared((db: Db, param: { userId: number }) =>
  db.deleteFrom('oauth_consents').where('user_id', '=', param.userId),
)

/** Forgets that a user, whose row the transaction has written, has ever consented to anything. */
export const dropConsentsOf = (db: Db, userId: number): Promise<number> =>
  dropAll.run(db, { userId })

const deleteOver = prepared((db: Db, param: { now: Instant }) =>
  db
    .deleteFrom('oauth_consents')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('oauth_consents')
        .select('id')
        .where('expires_at', '<=', param.now)
        .orderBy('expires_at')
        .limit(eb.lit(500)),
    )
    // Or one that is given anew in this moment would go.
    .where('expires_at', '<=', param.now),
)

/** Forgets some of the consents whose every grant is past its time, 500 at most; tells how many. */
export const deleteConsentsOf = (db: Db, now: Instant): Promise<number> =>
  deleteOver.run(db, { now })

const newestOf = prepared((db: Db, param: { userId: number; most: number }) =>
  withClients(db)
    .selectAll('oauth_consents')
    .select(clientColumns)
    .where('oauth_consents.user_id', '=', param.userId)
    .orderBy('oauth_consents.id', 'desc')
    .limit(param.most),
)

/** The newest consents of a user, at most so many, those that are over included. */
export const consentsForExport = async (
  db: Db,
  userId: number,
  most: number,
): Promise<OauthConsent[]> =>
  readGrants(db, { userId, now: 0 }, await newestOf.all(db, { userId, most }))
