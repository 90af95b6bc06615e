import { type SqlBool, sql } from 'kysely'
import type { Db } from '#store/database.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'

/** True for an API key that an OAuth client created whose registration or grant has ended. */
export const isWithdrawn = sql<SqlBool>`(
  (api_keys.parent_client_id is not null and not exists (
    select 1 from oauth_clients
    where oauth_clients.client_id = api_keys.parent_client_id and oauth_clients.deleted_at is null
  ))
  or (api_keys.parent_grant_hash is not null and not exists (
    select 1 from oauth_artefacts
    where oauth_artefacts.kind = 'Grant' and oauth_artefacts.id_hash = api_keys.parent_grant_hash
  ))
)`

/** The API keys of active administrators that are neither revoked nor withdrawn; expired ones too. */
export const workingKeys = (db: Db) =>
  db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select('api_keys.id')
    .where('api_keys.revoked_at', 'is', null)
    .where('users.role', '=', 'admin')
    .where('users.status', '=', 'active')
    .where('users.deleted_at', 'is', null)
    .where((key) => key.not(isWithdrawn))

const workingKey = prepareQuery((db: Db, param: { id: number; now: Instant }) =>
  workingKeys(db)
    .where('api_keys.id', '=', param.id)
    .where((key) =>
      key.or([key('api_keys.expires_at', 'is', null), key('api_keys.expires_at', '>', param.now)]),
    ),
)

/** True while the API key is one of `workingKeys` and has not expired. */
export const isWorkingKey = async (db: Db, id: number, now: Instant): Promise<boolean> =>
  (await workingKey.first(db, { id, now })) !== undefined
