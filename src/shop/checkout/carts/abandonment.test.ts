import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { eachDatabase, type TestCaller } from '#test/support/app.ts'
import { type PayingApp, startPayingApp } from '#test/support/callers/paying.ts'
import { eventReader } from '#test/support/events/event-feed.ts'
import { dayMs } from '#values/instant.ts'
import { abandonmentBatchSize, recordAbandonedCarts } from './abandonment.ts'

eachDatabase((kind) => {
  describe('an abandoned cart', () => {
    let shop: PayingApp
    let product: number
    let readAll: ReturnType<typeof eventReader>
    before(async () => {
      shop = await startPayingApp(kind)
      product = (await shop.addProduct()).id
      readAll = eventReader(shop.db)
    })
    after(() => shop.dispose())
    beforeEach(async () => {
      await shop.db.deleteFrom('carts').execute()
      await shop.db.deleteFrom('cart_items').execute()
      await readAll()
    })

    const abandonedEvents = async () =>
      (await readAll()).filter(({ type }) => type === 'cart.abandoned')
    const run = () => shop.store.transaction((db) => recordAbandonedCarts(db, 'USD', shop.now))
    const add = async (buyer: TestCaller) => {
      const { status } = await buyer.request('POST', '/cart', { product_id: product, quantity: 1 })
      assert.ok(status < 300)
    }

    test('is recorded once, a day after its last change, as an administrator reads it', async () => {
      const buyer = await shop.signInAs('customer')
      await add(buyer)
      shop.now += dayMs - 1
      await run()
      assert.deepEqual(await abandonedEvents(), [])
      shop.now += 1
      await Promise.all([run(), run(), run()])
      await run()
      const [event, ...others] = await abandonedEvents()
      assert.deepEqual(others, [])
      const admin = await shop.signInAs('admin')
      const { json } = await admin.request('GET', `/v1/users/${buyer.id}/cart`)
      const { _links, items, ...cart } = json
      const withoutLinks = items.map(({ _links: _, ...item }: { _links: object }) => item)
      assert.deepEqual(event?.data, { ...cart, items: withoutLinks })
      assert.equal(event?.data.status, 'abandoned')
      assert.equal(event?.subject, `/users/${buyer.id}/cart`)
    })

    test('is recorded again after it was changed and abandoned again', async () => {
      const buyer = await shop.signInAs('customer')
      await add(buyer)
      shop.now += dayMs
      await run()
      const admin = await shop.signInAs('admin')
      const item = { product_id: product, quantity: 1 }
      const added = await admin.request('POST', `/users/${buyer.id}/cart/items`, item)
      assert.equal(added.status, 200)
      await run()
      shop.now += dayMs
      await run()
      assert.equal((await abandonedEvents()).length, 2)
    })

    test('is not recorded without items', async () => {
      const buyer = await shop.signInAs('customer')
      await add(buyer)
      await buyer.request('DELETE', `/users/${buyer.id}/cart`)
      shop.now += dayMs
      assert.equal(await run(), 1)
      assert.equal(await run(), 0)
      assert.deepEqual(await abandonedEvents(), [])
    })

    test('is recorded once by several processes that share many carts', async () => {
      const count = abandonmentBatchSize + 5
      const ids: number[] = []
      for (let at = 0; at < count; at += 1) ids.push((await shop.signUp()).id)
      const moment = { created_at: shop.now, updated_at: shop.now }
      await shop.db
        .insertInto('carts')
        .values(ids.map((user_id) => ({ user_id, ...moment })))
        .execute()
      const lines = ids.map((user_id) => ({ user_id, product_id: product, quantity: 1, ...moment }))
      await shop.db.insertInto('cart_items').values(lines).execute()
      shop.now += dayMs
      while ((await Promise.all([run(), run(), run()])).some((looked) => looked > 0));
      const userIds = (await abandonedEvents()).map(({ data }) => data.user_id)
      assert.deepEqual(
        userIds.toSorted((one, other) => Number(one) - Number(other)),
        ids,
      )
    })
  })
})
