import type { Db } from '#db/database.ts'
import { prepared } from '#db/query/prepared.ts'
import type { Role } from '#http/declare/caller.ts'

const tokenByHash = prepared((db: Db, param: { idHash: string }) =>
  db
    .selectFrom('oauth_artefacts as token')
    .innerJoin('oauth_clients as client', 'client.client_id', 'token.client_id')
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

/** An access token that was issued and not withdrawn, and whom its bearer acts as. */
export interface ActiveToken {
  readonly client_id: string | null
  readonly grant_hash: string | null
  /** Null where the consent it rests on was withdrawn. */
  readonly granted: string | null
  readonly client_scope: string
  readonly user_id: number | null
  readonly role: Role | null
  readonly status: 'active' | 'suspended' | null
  readonly deleted_at: number | null
}

/** The access token kept under this hash, in one query with its client, its consent and its user. */
export const findToken = (db: Db, idHash: string): Promise<ActiveToken | undefined> =>
  tokenByHash.first(db, { idHash })

const clientById = prepared((db: Db, param: { clientId: string }) =>
  db
    .selectFrom('oauth_clients')
    .selectAll()
    .where('client_id', '=', param.clientId)
    .where('deleted_at', 'is', null),
)

/** The registration of the client that calls itself so. */
export const findClient = (db: Db, clientId: string) => clientById.first(db, { clientId })

const personById = prepared((db: Db, param: { id: number }) =>
  db
    .selectFrom('users')
    .select(['id', 'name', 'username', 'email', 'role', 'updated_at'])
    .where('id', '=', param.id)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null),
)

/** What an active user is told to clients as. */
export const findPerson = (db: Db, id: number) => personById.first(db, { id })
