import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { anonymizeEvents } from '#shop/events/personal-data-store.ts'
import type { TestCaller } from '#test/support/app.ts'
import { type PayingApp, startPayingApp, testShipping } from '#test/support/callers/paying.ts'
import { skipReason, waitForLockWaiter } from '#test/support/services/databases.ts'

// SQLite has a single writer.
describe('on PostgreSQL, without deadlocks', { skip: skipReason('postgres') }, () => {
  let shop: PayingApp
  let admin: TestCaller
  let buyer: TestCaller
  before(async () => {
    shop = await startPayingApp('postgres')
    admin = await shop.signInAs('admin')
    buyer = await shop.signInAs('customer')
  })
  after(() => shop.dispose())

  const productLock = (id: number) =>
    sql`select 1 from products where id = ${id} for no key update nowait`

  /**
   * Holds a lock until a request waits for it, and fails if the request has taken another lock by then,
   * which `free` takes.
   */
  async function assertLocksFirst<R>(
    held: RawBuilder<unknown>,
    send: () => Promise<R>,
    free: RawBuilder<unknown>,
  ): Promise<R> {
    const isHeld = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const holding = shop.store.transaction(async (db) => {
      await held.execute(db)
      isHeld.resolve()
      await release.promise
    })
    await isHeld.promise
    const response = send()
    try {
      await waitForLockWaiter(shop.store)
      await shop.store.transaction((db) => free.execute(db))
    } finally {
      release.resolve()
      await holding
    }
    return response
  }

  const place = (body: object) => buyer.request('POST', `/users/${buyer.id}/orders`, body)

  test('PUT of an order locks its former and its next products in one order', async () => {
    const first = await shop.addProduct({ stock: 5 })
    const second = await shop.addProduct({ stock: 5 })
    const itemsOf = ({ id }: { id: number }) => [{ product_id: id, quantity: 1 }]
    const { json: order } = await place({ items: itemsOf(second) })
    const replaced = await assertLocksFirst(
      productLock(first.id),
      () =>
        buyer.request('PUT', `/users/${buyer.id}/orders/${order.id}`, { items: itemsOf(first) }),
      productLock(second.id),
    )
    assert.equal(replaced.status, 200, replaced.text)
  })

  test('a refund locks the discount before products, as a new order does', async () => {
    const product = await shop.addProduct({ stock: 5 })
    await admin.request('POST', '/discounts', { code: 'TENTH', kind: 'percent', value: '10' })
    const { json: order } = await place({
      items: [{ product_id: product.id, quantity: 1 }],
      discount_code: 'TENTH',
      shipping: testShipping,
    })
    const payment = { method: 'card', token: 'tok_visa' }
    await buyer.request('POST', `/users/${buyer.id}/orders/${order.id}/payment`, payment)
    const refund = await assertLocksFirst(
      sql`select 1 from discounts where code = 'TENTH' for no key update nowait`,
      () => admin.request('POST', `/orders/${order.id}/refunds`, {}),
      productLock(product.id),
    )
    assert.equal(refund.json.status, 'succeeded', refund.text)
  })

  test('a review locks the variants before their product, as a new order does', async () => {
    const parent = await shop.addProduct({})
    const fields = { variant_of: parent.id, options: { size: 'S' }, price: 0 }
    const variant = await shop.addProduct(fields)
    const order = await place({
      items: [{ product_id: variant.id, quantity: 1 }],
      shipping: { method: 'pickup' },
    })
    assert.equal(order.json.status, 'paid', order.text)
    const review = await assertLocksFirst(
      productLock(variant.id),
      () => buyer.request('POST', `/products/${variant.id}/reviews`, { rating: 5 }),
      productLock(parent.id),
    )
    assert.equal(review.status, 201, review.text)
  })

  test('erasure waits for the publisher of events before it locks any', async () => {
    await buyer.request('PATCH', `/users/${buyer.id}`, { name: 'Grace' })
    await assertLocksFirst(
      sql`select pg_advisory_xact_lock(7305118266)`,
      () => shop.store.transaction((db) => anonymizeEvents(db, buyer.id, shop.now)),
      sql`select 1 from outbox for update nowait`,
    )
    const left = await shop.db
      .selectFrom('outbox')
      .select('id')
      .where('user_id', '=', buyer.id)
      .execute()
    assert.deepEqual(left, [])
  })
})
