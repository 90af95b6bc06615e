import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { sendBytes } from '#test/support/images/uploads.ts'
import { runWaitingImports } from '#test/support/imports.ts'
import { dayMs } from '#values/instant.ts'
import { productPrices } from './table.ts'

eachDatabase((kind) => {
  describe('the prices of a product', () => {
    let shop: TestApp
    let admin: TestCaller
    before(async () => {
      shop = await startTestApp(kind)
      admin = await shop.signInAs('admin')
    })
    after(() => shop.dispose())

    const wait = async (days: number) => {
      shop.now += days * dayMs
      // The session has expired.
      admin = await shop.signInAs('admin')
    }
    const create = async (body: object) => {
      const { status, json, text } = await admin.request('POST', '/products', {
        name: 'Pan',
        ...body,
      })
      assert.equal(status, 201, text)
      return json
    }
    /** Changes prices and returns what is shown as the lowest one. */
    const change = async (id: number, price: number, compare_at_price?: number | null) => {
      const { status, json, text } = await admin.request('PATCH', `/products/${id}`, {
        price,
        ...(compare_at_price === undefined ? {} : { compare_at_price }),
      })
      assert.equal(status, 200, text)
      return json.lowest_price_30_days
    }

    test('before a reduction: the lowest of 30 days is shown while it lasts', async () => {
      const { id, ...made } = await create({ price: 100 })
      assert.equal(made.lowest_price_30_days, null)
      await wait(50)
      assert.equal(await change(id, 90), null, 'no reduction is announced')
      await wait(10)
      assert.equal(await change(id, 95), null)
      await wait(10)
      assert.equal(await change(id, 80, 95), 90)
      await wait(100)
      const shown = (await shop.request('GET', `/products/${id}`)).json
      assert.deepEqual([shown.on_sale, shown.lowest_price_30_days], [true, 90])
      assert.equal(
        (await shop.request('GET', `/v2/products/${id}`)).json.lowest_price_30_days.amount,
        '90.00',
      )
      const { json } = await shop.request('GET', '/products?variants=all&limit=100')
      const listed = json.data.find((each: { id: number }) => each.id === id)
      assert.equal(listed.lowest_price_30_days, 90)
      assert.equal(await change(id, 95, null), null)
    })

    test('of successive reductions without a rise, that before the first counts', async () => {
      const { id } = await create({ price: 100 })
      await wait(40)
      assert.equal(await change(id, 80, 100), 100)
      await wait(10)
      assert.equal(await change(id, 70), 100)
      await wait(40)
      assert.equal(await change(id, 60, 99), 100)
      await wait(1)
      assert.equal(await change(id, 75), 60, 'a rise begins another reduction')
      await wait(31)
      assert.equal(await change(id, 76), 75)
    })

    test('of an earlier sale count within 30 days, and no longer', async () => {
      const { id } = await create({ price: 100 })
      await wait(40)
      assert.equal(await change(id, 50, 100), 100)
      await wait(5)
      assert.equal(await change(id, 100, null), null)
      await wait(20)
      assert.equal(await change(id, 90, 100), 50)
      await wait(1)
      assert.equal(await change(id, 100, null), null)
      await wait(31)
      assert.equal(await change(id, 90, 100), 100)
    })

    test('that was valid when the 30 days began counts, and one on sale from the first on has none', async () => {
      const { id } = await create({ price: 60 })
      await wait(100)
      assert.equal(await change(id, 100), null)
      await wait(29)
      assert.equal(await change(id, 90, 100), 60)
      const fresh = await create({ price: 50, compare_at_price: 100 })
      assert.deepEqual([fresh.on_sale, fresh.lowest_price_30_days], [true, null])
      await wait(1)
      assert.equal(await change(fresh.id, 40), null)
    })

    test('are listed for administrators, newest first, also those of imports', async () => {
      const { id } = await create({ sku: 'PRICED', price: 100, compare_at_price: 120 })
      const createdAt = shop.now
      await wait(1)
      await change(id, 100)
      await admin.request('PATCH', `/products/${id}`, { name: 'Pot' })
      const importRow = async (text: string) => {
        const type = { 'content-type': 'text/csv' }
        const path = '/imports?resource=products'
        await sendBytes(shop, admin, path, Buffer.from(text), type)
        await runWaitingImports(shop)
      }
      await importRow('sku,name,price,compare_at_price\r\nPRICED,Pot,80,120\r\nNEWLY,Lid,3,4\r\n')
      const listed = async (path: string) => (await admin.request('GET', path)).json.data
      const at = (time: number) => new Date(time).toISOString()
      const prices = (await listed(`/products/${id}/prices`)).map(
        ({ _links, ...fields }: { _links: object }) => fields,
      )
      assert.deepEqual(prices, [
        { price: 80, compare_at_price: 120, on_sale: true, at: at(shop.now) },
        { price: 100, compare_at_price: 120, on_sale: true, at: at(createdAt) },
      ])
      const [imported] = (await shop.request('GET', '/products?sku=NEWLY')).json.data
      assert.equal((await listed(`/products/${imported.id}/prices`)).length, 1)
      await wait(1)
      await importRow('sku,name,price,compare_at_price\r\nNEWLY,Lid,5,\r\n')
      await wait(1)
      await importRow('sku,name,price,compare_at_price\r\nNEWLY,Lid,2,4\r\n')
      const [reduced] = (await shop.request('GET', '/products?sku=NEWLY')).json.data
      assert.equal(reduced.lowest_price_30_days, 3)
      const page = (await admin.request('GET', `/products/${imported.id}/prices?limit=2`)).json
      assert.deepEqual(
        page.data.map(({ price }: { price: number }) => price),
        [2, 5],
      )
      const { next_cursor } = page.pagination
      const last = await listed(`/products/${imported.id}/prices?limit=2&cursor=${next_cursor}`)
      assert.deepEqual(
        last.map(({ price }: { price: number }) => price),
        [3],
      )
      const { status } = await shop.request('GET', `/products/${id}/prices`)
      assert.equal(status, 401)
    })

    test('are kept for 400 days after they have ended, and no longer than the product', async () => {
      const { id } = await create({ price: 100 })
      await wait(500)
      await change(id, 90)
      await change(id, 80)
      const pricesOf = async () =>
        (await productPrices.findAll(shop.db, { product_id: id }, { order: 'id' })).map(
          ({ price }) => price,
        )
      await wait(399)
      await productPrices.deleteExpired(shop.db, shop.now)
      assert.deepEqual(await pricesOf(), [10_000, 9_000, 8_000])
      await wait(2)
      await productPrices.deleteExpired(shop.db, shop.now)
      assert.deepEqual(await pricesOf(), [8_000])
      await admin.request('DELETE', `/products/${id}`)
      assert.deepEqual(await pricesOf(), [])
    })
  })
})
