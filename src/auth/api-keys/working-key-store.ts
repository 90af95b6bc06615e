import type { Db } from '#db/database.ts'
import { prepareQuery } from '#db/query/prepared.ts'

/**
 * The API keys that still work for an administrator: they are not revoked, and the OAuth client and grant
 * that they were created with still exist, as `isWithdrawn` of mechanism.ts requires.
 */
export const workingKeys = (db: Db) =>
  db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select('api_keys.id')
    .where('api_keys.revoked_at', 'is', null)
    .where('users.role', '=', 'admin')
    .where('users.status', '=', 'active')
    .where('users.deleted_at', 'is', null)
    .where((key) =>
      key.or([
        key('api_keys.parent_client_id', 'is', null),
        key.exists(
          key
            .selectFrom('oauth_clients as client')
            .select('client.id')
            .whereRef('client.client_id', '=', 'api_keys.parent_client_id')
            .where('client.deleted_at', 'is', null),
        ),
      ]),
    )
    .where((key) =>
      key.or([
        key('api_keys.parent_grant_hash', 'is', null),
        key.exists(
          key
            .selectFrom('oauth_artefacts as grant')
            .select('grant.id_hash')
            .where('grant.kind', '=', 'Grant')
            .whereRef('grant.id_hash', '=', 'api_keys.parent_grant_hash'),
        ),
      ]),
    )

const workingKey = prepareQuery((db: Db, param: { id: number }) =>
  workingKeys(db).where('api_keys.id', '=', param.id),
)

/** True while the API key works for an administrator. */
export const isWorkingKey = async (db: Db, id: number): Promise<boolean> =>
  (await workingKey.first(db, { id })) !== undefined
