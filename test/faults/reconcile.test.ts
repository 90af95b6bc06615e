import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { insertDemo } from '#src/demo/insert.ts'
import { openTemporaryStore, type TemporaryStore } from '#test/support/services/databases.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'

const paid = `(select min(id) from orders where status = 'delivered')`
const unpaid = `(select min(id) from orders where status = 'cancelled')`

/** SQL that stores a refund of these pieces of the first item of the order. */
function insertRefund(status: string, dueAt: number | null, quantities: readonly number[]): string {
  const pieces = quantities.map(
    (quantity) => `json_object('order_item_id', min(order_items.id), 'quantity', ${quantity})`,
  )
  return `insert into refunds (order_id, payment_id, origin, amount, items, shipping, restock,
      status, due_at, created_at, updated_at)
    select payments.order_id, payments.id, 'shop', 5, json_array(${pieces.join()}), 0, 0,
      '${status}', ${dueAt}, 1, 1
    from payments join order_items on order_items.order_id = payments.order_id
    where payments.order_id = ${paid} group by payments.id`
}

/** Changes that make a database inconsistent, and the violation to report. */
const damages: readonly (readonly [change: string, violation: RegExp])[] = [
  [`update orders set subtotal = subtotal + 1 where id = ${paid}`, /subtotal/],
  [`update orders set total = total + 1 where id = ${paid}`, /the total adds up/],
  [`update orders set tax = 7 where id = ${paid}`, /the tax adds up/],
  [`update orders set discount_total = 7 where id = ${paid}`, /the discounts of the items/],
  [`update orders set status = 'pending' where id = ${unpaid}`, /only a pending order expires/],
  [`update orders set status = 'cancelled' where id = ${paid}`, /no payment has succeeded/],
  [`update order_items set quantity = quantity + 1 where order_id = ${paid}`, /line total/],
  [`delete from order_items where order_id = ${unpaid}`, /it has items/],
  [`delete from payments where order_id = ${paid}`, /exactly one payment of the total/],
  [`update payments set amount = 1 where order_id = ${paid}`, /exactly one payment/],
  [`update payments set order_id = ${unpaid} where order_id = ${paid}`, /no payment has succeeded/],
  [
    `update payments set status = 'pending' where order_id = ${paid}`,
    /a pending payment will be settled/,
  ],
  [`update payments set refunding = 7 where order_id = ${paid}`, /pending refunds are summed/],
  [`update payments set refunded = 7 where order_id = ${paid}`, /that succeeded are summed/],
  [
    `update payments set refunded = amount + 1 where order_id = ${paid}`,
    /no more is refunded than was paid/,
  ],
  [`update orders set refunded = 7 where id = ${paid}`, /shows what was refunded/],
  [insertRefund('succeeded', null, []), /that succeeded are summed/],
  [insertRefund('pending', null, []), /will be settled/],
  [insertRefund('pending', 5, [1000, 1000]), /no piece is refunded twice/],
  [`delete from purchases where order_id = ${paid}`, /one purchase per item/],
  [`update purchases set unit_price = 1 where order_id = ${paid}`, /matches its item/],
  [`update purchases set user_id = null where order_id = ${paid}`, /matches its item and buyer/],
  [`update purchases set order_id = ${unpaid} where order_id = ${paid}`, /there are no purchases/],
  [`update purchases set order_id = 0 where order_id = ${paid}`, /there is no order 0/],
  ['delete from reviews where id = 1', /its reviews are counted/],
  ['update reviews set rating = rating % 5 + 1 where id = 1', /its ratings are summed/],
  ['update products set rating_average = 0.5 where rating_count > 0', /its average is theirs/],
]

describe('reconcile', () => {
  let temporary: TemporaryStore
  before(async () => {
    temporary = await openTemporaryStore('memory')
    const shop = { currency: 'USD', currencyDigits: 2 }
    await temporary.store.transaction((db) => insertDemo(db, shop, Date.UTC(2026, 5, 1)))
  })
  after(() => temporary.dispose())

  for (const [change, violation] of damages) {
    test(`reports: ${change}`, async () => {
      const damaged = temporary.store.transaction(async (db) => {
        const { numAffectedRows } = await sql.raw(change).execute(db)
        assert.ok((numAffectedRows ?? 0n) > 0n, 'no row changed')
        await reconcile(db)
      })
      await assert.rejects(damaged, violation)
    })
  }
})
