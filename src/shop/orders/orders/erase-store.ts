import { sql } from 'kysely'
import { integer } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { dayOf } from '#store/query/day.ts'
import { prepareSql } from '#store/query/prepared.ts'
import { endOfDay, type Instant } from '#values/instant.ts'

interface Erasing {
  readonly userId: number
  readonly changedAt: Instant
}

const coarsenItems = prepareSql(
  (_: Db, { userId }: Erasing) => sql`
    update order_items set created_at = ${dayOf('created_at')}
    where order_id in (select orders.id from orders where orders.user_id = ${userId})`,
)

// `due_at` stays: the settlement job needs it, and settling clears it.
const coarsenPayments = prepareSql(
  (_: Db, { userId, changedAt }: Erasing) => sql`
    update payments set revision = revision + 1, created_at = ${dayOf('created_at')},
      updated_at = ${changedAt}
    where order_id in (select orders.id from orders where orders.user_id = ${userId})`,
)

const blankParcels = prepareSql(
  (_: Db, { userId, changedAt }: Erasing) => sql`
    update parcels set revision = revision + 1, tracking_number = null, tracking_url = null,
      delivered_at = ${dayOf('delivered_at')}, created_at = ${dayOf('created_at')},
      updated_at = ${changedAt}
    where order_id in (select orders.id from orders where orders.user_id = ${userId})`,
)

const blankReturns = prepareSql(
  (_: Db, { userId, changedAt }: Erasing) => sql`
    update returns set revision = revision + 1, reason = null, reply = null,
      declared_by = null, created_at = ${dayOf('created_at')}, updated_at = ${changedAt}
    where order_id in (select orders.id from orders where orders.user_id = ${userId})`,
)

const blankAll = prepareSql(
  (_: Db, { userId, changedAt }: Erasing) => sql`
    update orders set user_id = null, network = null, note = null, contact_name = null, contact_email = null,
      contact_key = null, recipient = null, company = null, vat_id = null, phone = null, line1 = null,
      line2 = null, city = null, region = null,
      postal_code = null, tracking_number = null, tracking_url = null,
      expires_at = ${dayOf('expires_at')}, shipped_at = ${dayOf('shipped_at')},
      delivered_at = ${dayOf('delivered_at')}, deleted_at = ${dayOf('deleted_at')},
      revision = revision + 1, created_at = ${dayOf('created_at')}, updated_at = ${changedAt}
    where user_id = ${userId} returning id`,
  { id: integer },
)

/**
 * Anonymises the orders of a user: removes user, note, recipient and address except the country,
 * which taxes depend on. Truncates the times of orders, items, payments, parcels and returns to the day, so that they
 * cannot be correlated with other records. Unpaid orders thereby become due for cancellation. Returns their IDs.
 */
export async function anonymizeOrders(
  db: Db,
  userId: number,
  now: Instant,
): Promise<readonly number[]> {
  const erasing = { userId, changedAt: endOfDay(now) }
  await coarsenItems.run(db, erasing)
  await coarsenPayments.run(db, erasing)
  await blankParcels.run(db, erasing)
  await blankReturns.run(db, erasing)
  return (await blankAll.all(db, erasing)).map(({ id }) => id)
}
