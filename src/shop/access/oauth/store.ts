import type { Role } from '#http/declare/actor.ts'
import type { Db } from '#store/database.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import { isStorableText } from '#values/text.ts'

const tokenByHash = prepareQuery((db: Db, param: { idHash: string }) =>
  db
    .selectFrom('oauth_artefacts as token')
    .leftJoin('oauth_clients as client', 'client.client_id', 'token.client_id')
    .leftJoin('users', (join) =>
      join.on((eb) => eb('users.id', '=', eb.fn.coalesce('token.user_id', 'client.user_id'))),
    )
    .leftJoin('oauth_artefacts as grant', (join) =>
      join.on('grant.kind', '=', 'Grant').onRef('grant.id_hash', '=', 'token.grant_hash'),
    )
    .select([
      'token.client_id',
      'token.grant_hash',
      'grant.id_hash as granted',
      'client.scope as client_scope',
      'users.id as user_id',
      'users.role',
      'users.status',
      'users.deleted_at',
    ])
    .where('token.kind', 'in', ['AccessToken', 'ClientCredentials'])
    .where('token.id_hash', '=', param.idHash)
    .where('client.deleted_at', 'is', null),
)

/** A stored access token, with its client and the user that it acts for. */
export interface StoredAccessToken {
  readonly client_id: string | null
  readonly grant_hash: string | null
  /** Null if there is no grant or it was revoked. */
  readonly granted: string | null
  /** Null if no client is registered under this ID. */
  readonly client_scope: string | null
  readonly user_id: number | null
  readonly role: Role | null
  readonly status: 'active' | 'suspended' | null
  readonly deleted_at: number | null
}

/** The access token with this ID hash, in one query with its client, grant and user. */
export const findAccessToken = (db: Db, idHash: string): Promise<StoredAccessToken | undefined> =>
  tokenByHash.first(db, { idHash })

const clientById = prepareQuery((db: Db, param: { clientId: string }) =>
  db
    .selectFrom('oauth_clients')
    .selectAll()
    .where('client_id', '=', param.clientId)
    .where('deleted_at', 'is', null),
)

/** The registration of a client that is not deleted. */
export const findClient = async (db: Db, clientId: string) =>
  // No client has such an ID, and PostgreSQL rejects it.
  isStorableText(clientId) ? clientById.first(db, { clientId }) : undefined

const activeUserById = prepareQuery((db: Db, param: { id: number }) =>
  db
    .selectFrom('users')
    .select(['id', 'name', 'username', 'email', 'email_verified', 'role', 'updated_at'])
    .where('id', '=', param.id)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null),
)

/** The name, email and role of an active user. */
export const findActiveUser = (db: Db, id: number) => activeUserById.first(db, { id })
