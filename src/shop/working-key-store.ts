import { type SqlBool, sql } from 'kysely'
import type { Db } from '#store/database.ts'
import { prepareQuery } from '#store/query/prepared.ts'

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

const workingKey = prepareQuery((db: Db, param: { id: number }) =>
  workingKeys(db).where('api_keys.id', '=', param.id),
)

/** True while the API key is one of `workingKeys`. */
export const isWorkingKey = async (db: Db, id: number): Promise<boolean> =>
  (await workingKey.first(db, { id })) !== undefined
