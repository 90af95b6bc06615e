import type { Db } from '#db/database.ts'
import { prepareQuery } from '#db/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import { disabledColumns } from './outcome-store.ts'
import type { WebhookRow } from './table.ts'

/**
 * The API keys that still work for an administrator: they are not revoked, and the OAuth client and grant
 * that they were created with still exist, as `isWithdrawn` of auth/api-keys/mechanism.ts requires.
 */
const workingKeys = (db: Db) =>
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

/** Active webhooks whose API key no longer works. */
export const webhooksWithoutKey = (db: Db) =>
  db
    .selectFrom('webhooks')
    .select('webhooks.id')
    .where('webhooks.active', '=', 1)
    .where('webhooks.api_key_id', 'is not', null)
    .where((webhook) =>
      webhook.not(
        webhook.exists(
          workingKeys(db).whereRef('api_keys.id', '=', webhook.ref('webhooks.api_key_id')),
        ),
      ),
    )

const disable = prepareQuery((db: Db, param: { now: Instant }) =>
  db
    .updateTable('webhooks')
    .set((eb) => disabledColumns(eb, 'key_revoked', param.now))
    .where('id', 'in', webhooksWithoutKey(db))
    // Again for the row itself: another process may have disabled it while this one waited for the row.
    .where('active', '=', 1)
    .returningAll(),
)

/** Disables the active webhooks whose API key no longer works, and returns them. */
export const disableWithoutKey = (db: Db, now: Instant): Promise<readonly WebhookRow[]> =>
  disable.all(db, { now })
