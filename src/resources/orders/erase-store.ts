import type { Db } from '#db/database.ts'
import { dayOf } from '#db/query/day.ts'
import { prepared } from '#db/query/prepared.ts'
import { endOfDay, type Instant } from '#values/instant.ts'

interface Erasing {
  readonly userId: number
  readonly changedAt: Instant
}

const idsOfOrders = (db: Db, userId: number) =>
  db.selectFrom('orders').select('orders.id').where('orders.user_id', '=', userId)

const coarsenItems = prepared((db: Db, param: Erasing) =>
  db
    .updateTable('order_items')
    .set({ created_at: dayOf('created_at') })
    .where('order_id', 'in', idsOfOrders(db, param.userId)),
)

// When an open payment is looked at again stays, and goes once it is settled.
const coarsenPayments = prepared((db: Db, param: Erasing) =>
  db
    .updateTable('payments')
    .set((eb) => ({
      refund_requested_at: dayOf<number | null>('refund_requested_at'),
      revision: eb('revision', '+', eb.lit(1)),
      created_at: dayOf('created_at'),
      updated_at: param.changedAt,
    }))
    .where('order_id', 'in', idsOfOrders(db, param.userId)),
)

const blankAll = prepared((db: Db, param: Erasing) =>
  db
    .updateTable('orders')
    .set((eb) => ({
      user_id: null,
      note: null,
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
 * Takes out of the orders of a user whose they are: note, recipient and address, except the
 * country, which taxes are reckoned by. Of all moments, also those of items and payments, the day
 * is left, so that none of them leads to what else was done in the same millisecond. An order that
 * is not paid yet is therefore due to be cancelled.
 */
export async function blankOrders(db: Db, userId: number, now: Instant): Promise<void> {
  const erasing = { userId, changedAt: endOfDay(now) }
  await coarsenItems.run(db, erasing)
  await coarsenPayments.run(db, erasing)
  await blankAll.run(db, erasing)
}
