import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { deletePurchases } from '#shop/orders/purchases/store.ts'
import {
  eachDatabase,
  startTestApp,
  type TestApp,
  type TestCaller,
  type TestResponse,
} from '#test/support/app.ts'
import { scopedCaller } from '#test/support/callers/narrow-caller.ts'
import { insertOrder, insertProduct, recordPurchases } from '#test/support/rows.ts'

type Json = TestResponse['json']
const fieldsOf = (errors: readonly { readonly field: string }[]) => errors.map(({ field }) => field)

eachDatabase((kind) => {
  describe('reviews', () => {
    let shop: TestApp
    let admin: TestCaller
    before(async () => {
      shop = await startTestApp(kind)
      admin = await shop.signInAs('admin')
    })
    after(() => shop.dispose())

    const shelve = async (): Promise<{ id: number; path: string }> => {
      const { id } = await insertProduct(shop.db)
      return { id, path: `/products/${id}/reviews` }
    }
    /** Signs in a customer who has bought the product. */
    const buyerOf = async (productId: number, name = 'Ada'): Promise<TestCaller> => {
      const buyer = await shop.signInAs('customer', { name })
      const { id } = buyer
      const product = { id: productId, name: 'Kettle', price: 100 }
      const order = { id: await insertOrder(shop.db, id, [product]), user_id: id }
      await recordPurchases(shop.store, order)
      return buyer
    }
    const review = (path: string, as: TestCaller, body: object) => as.request('POST', path, body)
    const readProduct = async (id: number, query = '') =>
      await shop.request('GET', `/products/${id}${query}`)

    test('are written by buyers of the product and count in its rating', async () => {
      const { id, path } = await shelve()
      const as = await buyerOf(id)
      const before = await readProduct(id)
      const { status, headers, json } = await review(path, as, { rating: 4, title: 'Good' })
      assert.equal(status, 201)
      const now = new Date(shop.now).toISOString()
      const { _links, ...fields } = json
      assert.deepEqual(fields, {
        id: json.id,
        product_id: id,
        user_id: as.id,
        author: 'Ada',
        rating: 4,
        title: 'Good',
        body: null,
        verified_purchase: true,
        status: 'published',
        created_at: now,
        updated_at: now,
      })
      assert.equal(headers['location'], `${path}/${json.id}`)
      assert.equal(_links['product']?.href, `/products/${id}`)
      assert.equal(_links['self']?.href, headers['location'])
      const after = await readProduct(id)
      assert.deepEqual(after.json.rating, { average: 4, count: 1 })
      assert.equal(after.json.updated_at, now)
      assert.notEqual(after.headers['etag'], before.headers['etag'])
    })

    test('are public and may be stored by shared caches', async () => {
      const { id, path } = await shelve()
      const { json } = await review(path, await buyerOf(id), { rating: 5, body: 'Boils.' })
      for (const address of [path, `${path}/${json.id}`]) {
        const { status, headers } = await shop.request('GET', address)
        assert.equal(status, 200)
        assert.match(headers['cache-control'] ?? '', /^public, /)
      }
      const { _links: _, ...fields } = json
      assert.partialDeepStrictEqual((await shop.request('GET', `${path}/${json.id}`)).json, fields)
    })

    test('are rejected from anonymous callers, credentials without the scope and users who did not buy', async () => {
      const { id, path } = await shelve()
      const body = { rating: 5 }
      assert.equal((await shop.request('POST', path, body)).json.error_code, '4011')
      const buyer = await buyerOf(id)
      const narrow = await scopedCaller(shop, buyer, ['orders:read'])
      assert.equal((await narrow('POST', path, body)).json.error_code, '4033')
      for (const as of [await shop.signInAs('customer'), admin]) {
        assert.equal((await review(path, as, body)).json.error_code, '4031')
      }
      assert.deepEqual((await readProduct(id)).json.rating, { average: null, count: 0 })
    })

    test('are rejected from a buyer after a refund', async () => {
      const { id, path } = await shelve()
      const as = await buyerOf(id)
      const { order_id } = await shop.db
        .selectFrom('purchases')
        .select('order_id')
        .where('product_id', '=', id)
        .executeTakeFirstOrThrow()
      await shop.store.transaction((db) => deletePurchases(db, order_id))
      assert.equal((await review(path, as, { rating: 1 })).json.error_code, '4031')
    })

    test('are limited to one per user and product, even when sent concurrently', async () => {
      const { id, path } = await shelve()
      const as = await buyerOf(id)
      const sent = await Promise.all([1, 2, 3, 4].map((rating) => review(path, as, { rating })))
      assert.deepEqual(sent.map(({ status }) => status).sort(), [201, 409, 409, 409])
      const [created] = sent.filter(({ status }) => status === 201)
      const again = await review(path, as, { rating: 5 })
      assert.equal(again.json.error_code, '4092')
      const { rating } = (await readProduct(id)).json
      assert.deepEqual(rating, { average: created?.json.rating, count: 1 })
    })

    test('of several users all count when sent concurrently', async () => {
      const { id, path } = await shelve()
      const ratings = [1, 5, 5, 2, 3, 4, 4, 4]
      const buyers: TestCaller[] = []
      for (const _ of ratings) buyers.push(await buyerOf(id))
      const sent = await Promise.all(
        buyers.map((as, place) => review(path, as, { rating: ratings[place] })),
      )
      assert.deepEqual(
        sent.map(({ status }) => status),
        ratings.map(() => 201),
      )
      assert.deepEqual((await readProduct(id)).json.rating, { average: 3.5, count: 8 })
      const row = await shop.db
        .selectFrom('products')
        .select(['rating_sum', 'rating_count', 'rating_average', 'revision'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      assert.deepEqual(row, { rating_sum: 28, rating_count: 8, rating_average: 3.5, revision: 9 })
    })

    test('succeed concurrently with edits of the product', async () => {
      const { id, path } = await shelve()
      const buyers = [await buyerOf(id), await buyerOf(id), await buyerOf(id)]
      const edit = (price: number) => admin.request('PATCH', `/products/${id}`, { price })
      const responses = await Promise.all([
        ...buyers.map((as) => review(path, as, { rating: 3 })),
        edit(1),
        edit(2),
      ])
      assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 200, 201, 201, 201])
      assert.deepEqual((await readProduct(id)).json.rating, { average: 3, count: 3 })
    })

    test('round the average to two decimals', async () => {
      const { id, path } = await shelve()
      for (const rating of [5, 5, 3]) await review(path, await buyerOf(id), { rating })
      assert.equal((await readProduct(id)).json.rating.average, 4.33)
    })

    const badBodies: readonly (readonly [string, object, string, string])[] = [
      ['without a rating', {}, '4001', 'rating'],
      ['with a rating of 0', { rating: 0 }, '4221', 'rating'],
      ['with a rating of 6', { rating: 6 }, '4221', 'rating'],
      ['with a fractional rating', { rating: 4.5 }, '4221', 'rating'],
      ['with a title that is too long', { rating: 5, title: 'x'.repeat(201) }, '4221', 'title'],
      ['with a body that is too long', { rating: 5, body: 'x'.repeat(10_001) }, '4221', 'body'],
      ['with an unknown field', { rating: 5, stars: 5 }, '4221', 'stars'],
    ]
    for (const [what, body, code, field] of badBodies) {
      test(`${what} are rejected with ${code} for ${field}`, async () => {
        const { id, path } = await shelve()
        const { json } = await review(path, await buyerOf(id), body)
        assert.equal(json.error_code, code)
        assert.deepEqual(fieldsOf(json.errors), [field])
      })
    }

    test('ignore read-only fields of the body', async () => {
      const { id, path } = await shelve()
      const as = await buyerOf(id)
      const body = { rating: 2, id: 1, user_id: 1, author: 'Eve', verified_purchase: false }
      const { status, json } = await review(path, as, body)
      assert.equal(status, 201)
      assert.equal(json.user_id, as.id)
    })

    test('answer 404 for an unknown product and 410 for a removed one', async () => {
      const { id, path } = await shelve()
      const as = await buyerOf(id)
      const { json } = await review(path, as, { rating: 2 })
      const other = await shelve()
      const paths = [`${other.path}/${json.id}`, `${path}/999999`, '/products/999999/reviews']
      for (const absent of paths) {
        assert.equal((await shop.request('GET', absent)).json.error_code, '4041')
      }
      const unknown = await review('/products/999999/reviews', as, { rating: 2 })
      assert.equal(unknown.json.error_code, '4041')
      await admin.request('DELETE', `/products/${id}`)
      for (const gone of [path, `${path}/${json.id}`]) {
        assert.equal((await shop.request('GET', gone)).json.error_code, '4101')
      }
      const late = await review(path, await buyerOf(id), { rating: 2 })
      assert.equal(late.json.error_code, '4101')
    })

    test('are filtered, sorted and paged', async () => {
      const { id, path } = await shelve()
      const ids: number[] = []
      for (const rating of [3, 5, 3, 1]) {
        ids.push((await review(path, await buyerOf(id), { rating })).json.id)
      }
      const page = async (query: string) => {
        const { json } = await shop.request('GET', `${path}?${query}`)
        return json.data.map((row: Json) => ids.indexOf(row.id))
      }
      assert.deepEqual(await page(''), [0, 1, 2, 3])
      assert.deepEqual(await page('rating=3'), [0, 2])
      assert.deepEqual(await page('sort=rating&order=desc'), [1, 2, 0, 3])
      assert.deepEqual(await page('sort=created_at&limit=3&page=2'), [3])
      const [first] = (await shop.request('GET', path)).json.data
      assert.deepEqual(await page(`user_id=${first?.user_id}`), [0])
      assert.equal((await shop.request('GET', `${path}?rating=6`)).json.error_code, '4003')
    })

    test('are embedded in products, up to the newest twenty of each', async () => {
      const [many, none] = [await shelve(), await shelve()]
      const ids: number[] = []
      for (let count = 0; count < 21; count += 1) {
        ids.push((await review(many.path, await buyerOf(many.id), { rating: 3 })).json.id)
      }
      const { reviews } = (await readProduct(many.id, '?include=reviews')).json
      assert.deepEqual(
        reviews.map((row: Json) => row.id),
        ids.toReversed().slice(0, 20),
      )
      assert.deepEqual((await readProduct(none.id, '?include=reviews')).json.reviews, [])
    })

    test('take a constant number of statements', async () => {
      const { id, path } = await shelve()
      for (const rating of [1, 2]) {
        const as = await buyerOf(id)
        shop.takeCount()
        const { json } = await review(path, as, { rating })
        assert.equal(shop.takeCount(), 1 + 5)
        await shop.request('GET', path)
        assert.equal(shop.takeCount(), 3)
        await shop.request('GET', `${path}/${json.id}`)
        assert.equal(shop.takeCount(), 2)
      }
    })
  })
})
