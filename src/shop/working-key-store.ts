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

const workingSecret = prepareQuery((db: Db, param: { hash: string; now: Instant }) =>
  workingKeys(db)
    .innerJoin('api_key_secrets as secret', 'secret.key_id', 'api_keys.id')
    .where('secret.key_hash', '=', param.hash)
    .where((row) =>
      row.and(
        (['api_keys.expires_at', 'secret.expires_at'] as const).map((column) =>
          row.or([row(column, 'is', null), row(column, '>', param.now)]),
        ),
      ),
    ),
)

/** True while a secret with this hash is one of `workingKeys`, and neither it nor the key has expired. */
export const isWorkingSecret = async (db: Db, hash: string, now: Instant): Promise<boolean> =>
  (await workingSecret.first(db, { hash, now })) !== undefined
