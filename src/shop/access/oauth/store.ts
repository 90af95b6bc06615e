import { type Selectable, sql } from 'kysely'
import { nullable } from '#schema/words.ts'
import { oauthClients } from '#shop/access/oauth-clients/table.ts'
import { users } from '#shop/accounts/users/table.ts'
import { type ColumnsOf, integer, text } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { prepareSql } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import { isStorableText } from '#values/text.ts'

const tokenColumns = {
  ...{ client_id: nullable(text), grant_hash: nullable(text) },
  /** Null if there is no grant or it was revoked. */
  granted: nullable(text),
  /** Null if no client is registered under this ID. */
  client_scope: nullable(text),
  ...{
    user_id: nullable(integer),
    role: nullable(users.schemas.role),
    status: nullable(users.schemas.status),
  },
  deleted_at: nullable(integer),
  email_verified: nullable(integer),
}

const tokenByHash = prepareSql(
  (_: Db, { idHash, now }: { idHash: string; now: Instant }) => sql`
    select token.client_id, token.grant_hash, issued.id_hash as granted,
      client.scope as client_scope, users.id as user_id, users.role, users.status,
      users.deleted_at, users.email_verified
    from oauth_artefacts as token
    left join oauth_clients as client on client.client_id = token.client_id
    left join users on users.id = coalesce(token.user_id, client.user_id)
    left join oauth_artefacts as issued
      on issued.kind = 'Grant' and issued.id_hash = token.grant_hash
    left join sessions on sessions.family = token.uid_hash
      and sessions.ended_at is null and sessions.expires_at > ${now}
    where token.kind in ('AccessToken', 'ClientCredentials') and token.id_hash = ${idHash}
      and client.deleted_at is null
      and (token.uid_hash is null or sessions.id is not null)`,
  tokenColumns,
)

/** A stored access token, with its client and the user that it acts for. */
export type StoredAccessToken = Selectable<ColumnsOf<typeof tokenColumns>>

/**
 * The access token with this ID hash, in one query with its client, grant and user; undefined if one of
 * these, or its session, has ended.
 */
export async function findLiveAccessToken(
  db: Db,
  idHash: string,
  now: Instant,
): Promise<StoredAccessToken | undefined> {
  const found = await tokenByHash.first(db, { idHash, now })
  return found && (found.grant_hash === null || found.granted !== null) ? found : undefined
}

/** The registration of a client that is not deleted. */
export const findClient = async (db: Db, clientId: string) =>
  // No client has such an ID, and PostgreSQL rejects it.
  isStorableText(clientId)
    ? oauthClients.find(db, { client_id: clientId, deleted_at: null })
    : undefined

/** The name, email and role of an active user. */
export const findActiveUser = (db: Db, id: number) =>
  users.find(db, { id, status: 'active', deleted_at: null })
