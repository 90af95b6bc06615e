import type { Db } from '#store/database.ts'
import { dayOf } from '#store/query/day.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import { endOfDay, type Instant } from '#values/instant.ts'

interface Erasing {
  readonly userId: number
  readonly changedAt: Instant
}

const idsOfOrders = (db: Db, userId: number) =>
  db.selectFrom('orders').select('orders.id').where('orders.user_id', '=', userId)

const coarsenItems = prepareQuery((db: Db, param: Erasing) =>
  db
    .updateTable('order_items')
    .set({ created_at: dayOf('created_at') })
    .where('order_id', 'in', idsOfOrders(db, param.userId)),
)

// `due_at` stays: the settlement job needs it, and settling clears it.
const coarsenPayments = prepareQuery((db: Db, param: Erasing) =>
  db
    .updateTable('payments')
    .set((eb) => ({
      revision: eb('revision', '+', eb.lit(1)),
      created_at: dayOf('created_at'),
      updated_at: param.changedAt,
    }))
    .where('order_id', 'in', idsOfOrders(db, param.userId)),
)

const blankAll = prepareQuery((db: Db, param: Erasing) =>
  db
    .updateTable('orders')
    .set((eb) => ({
      user_id: null,
      note: null,
      contact_name: null,
      contact_email: null,
      recipient: null,
      line1: null,
      line2: null,
      city: null,
      region: null,
      postal_code: null,
      tracking_number: null,
      tracking_url: null,
      expires_at: dayOf<number | null>('expires_at'),
      shipped_at: dayOf<number | null>('shipped_at'),
      delivered_at: dayOf<number | null>('delivered_at'),
      deleted_at: dayOf<number | null>('deleted_at'),
      revision: eb('revision', '+', eb.lit(1)),
      created_at: dayOf('created_at'),
      updated_at: param.changedAt,
    }))
    .where('user_id', '=', param.userId),
)

/**
 * Anonymises the orders of a user: removes user, note, recipient and address except the country,
 * which taxes depend on. Truncates the times of orders, items and payments to the day, so that they
 * cannot be correlated with other records. Unpaid orders thereby become due for cancellation.
 */
export async function anonymizeOrders(db: Db, userId: number, now: Instant): Promise<void> {
  const erasing = { userId, changedAt: endOfDay(now) }
  await coarsenItems.run(db, erasing)
  await coarsenPayments.run(db, erasing)
  await blankAll.run(db, erasing)
}
