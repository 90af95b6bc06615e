import { workingKeys } from '#shop/working-key-store.ts'
import type { Db } from '#store/database.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import { disabledColumns } from './outcome-store.ts'
import type { WebhookRow } from './table.ts'

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

const disableByUser = prepareQuery((db: Db, param: { userId: number; now: Instant }) =>
  db
    .updateTable('webhooks')
    .set((eb) => disabledColumns(eb, 'recovered', param.now))
    .where('user_id', '=', param.userId)
    .where('active', '=', 1)
    .returningAll(),
)

/** Disables the active webhooks that a user has set up, and returns them. */
export const disableOf = (db: Db, userId: number, now: Instant): Promise<readonly WebhookRow[]> =>
  disableByUser.all(db, { userId, now })
