import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import {
  eachDatabase,
  startTestApp,
  type TestApp,
  type TestCaller,
  type TestResponse,
} from '#test/support/app.ts'
import { scopedCaller } from '#test/support/callers/narrow-caller.ts'
import { findWrongCounts } from '#test/support/counts.ts'
import { insertOrder, insertProduct, recordPurchases } from '#test/support/rows.ts'

type Json = TestResponse['json']

eachDatabase((kind) => {
  describe('a written review', () => {
    let shop: TestApp
    let admin: TestCaller
    let author: TestCaller
    let stranger: TestCaller
    let productId: number
    let path: string
    before(async () => {
      shop = await startTestApp(kind)
      admin = await shop.signInAs('admin')
      stranger = await shop.signInAs('customer')
    })
    after(() => shop.dispose())
    beforeEach(async () => {
      productId = (await insertProduct(shop.db)).id
      author = await buyerOf(productId)
      const { json } = await author.request('POST', `/products/${productId}/reviews`, {
        rating: 4,
        title: 'Good',
        body: 'It boils.',
      })
      path = `/products/${productId}/reviews/${json.id}`
    })

    const buyerOf = async (id: number): Promise<TestCaller> => {
      const buyer = await shop.signInAs('customer', { name: 'Ada' })
      const product = { id, name: 'Kettle', price: 100 }
      const order = await insertOrder(shop.db, buyer.id, [product])
      await recordPurchases(shop.store, { id: order, user_id: buyer.id })
      return buyer
    }
    const ratingOf = async (id = productId) =>
      (await shop.request('GET', `/products/${id}`)).json.rating
    const hide = (status = 'hidden') => admin.request('PATCH', path, { status })
    const listOf = async (as: Pick<TestCaller, 'request'> | TestApp, query = '') => {
      const { json } = await as.request('GET', `/products/${productId}/reviews${query}`)
      assert.equal(json.pagination.total_items, json.data.length)
      return json.data.map((row: Json) => row.status)
    }

    test('is changed by its author, and the rating of the product with it', async () => {
      shop.now += 1000
      const { status, json } = await author.request('PATCH', path, { rating: 2, title: null })
      assert.equal(status, 200)
      assert.partialDeepStrictEqual(json, { rating: 2, title: null, body: 'It boils.' })
      assert.equal(json.updated_at, new Date(shop.now).toISOString())
      assert.deepEqual(await ratingOf(), { average: 2, count: 1 })
    })

    test('that a PATCH does not change keeps its time, and the product too', async () => {
      const before = await shop.request('GET', `/products/${productId}`)
      shop.now += 1000
      const { json } = await author.request('GET', path)
      const { status, headers } = await author.request('PATCH', path, json)
      assert.equal(status, 200)
      assert.equal(headers['etag'], (await author.request('GET', path)).headers['etag'])
      const after = await shop.request('GET', `/products/${productId}`)
      assert.equal(after.headers['etag'], before.headers['etag'])
    })

    test('is removed by its author or an administrator, with its share of the rating', async () => {
      for (const as of [author, admin]) {
        assert.equal((await as.request('DELETE', path)).status, 204)
        assert.deepEqual(await ratingOf(), { average: null, count: 0 })
        assert.deepEqual(await listOf(shop), [])
        assert.equal((await shop.request('GET', path)).json.error_code, '4101')
        assert.equal((await as.request('DELETE', path)).status, 204)
        assert.equal((await as.request('PATCH', path, { rating: 1 })).json.error_code, '4101')
        assert.deepEqual(await ratingOf(), { average: null, count: 0 })
        const again = await author.request('POST', `/products/${productId}/reviews`, { rating: 5 })
        assert.equal(again.status, 201)
        assert.deepEqual(await ratingOf(), { average: 5, count: 1 })
        path = `/products/${productId}/reviews/${again.json.id}`
      }
    })

    test('leaves no text in the database once it is removed', async () => {
      await author.request('DELETE', path)
      const rows = await shop.db
        .selectFrom('reviews')
        .select(['author', 'title', 'body'])
        .where('product_id', '=', productId)
        .execute()
      assert.deepEqual(rows, [{ author: null, title: null, body: null }])
    })

    test('is changed and removed by nobody else, nor without the scope', async () => {
      const narrow = await scopedCaller(shop, author, ['orders:read'])
      for (const [method, body] of [['PATCH', { rating: 1 }], ['DELETE']] as const) {
        assert.equal((await shop.request(method, path, body)).json.error_code, '4011')
        assert.equal((await stranger.request(method, path, body)).json.error_code, '4031')
        assert.equal((await narrow(method, path, body)).json.error_code, '4033')
      }
      assert.deepEqual(await ratingOf(), { average: 4, count: 1 })
    })

    test('is hidden and published by administrators alone', async () => {
      const rejected = await author.request('PATCH', path, { status: 'hidden' })
      assert.equal(rejected.json.error_code, '4031')
      const hidden = await hide()
      assert.equal(hidden.json.status, 'hidden')
      assert.deepEqual(await ratingOf(), { average: null, count: 0 })
      const refusedAgain = await author.request('PATCH', path, { status: 'published' })
      assert.equal(refusedAgain.json.error_code, '4031')
      assert.equal((await hide('published')).json.status, 'published')
      assert.deepEqual(await ratingOf(), { average: 4, count: 1 })
    })

    test('that is hidden is seen by its author and administrators only', async () => {
      const other = await buyerOf(productId)
      await other.request('POST', `/products/${productId}/reviews`, { rating: 1 })
      await hide()
      const narrow = await scopedCaller(shop, admin, ['products:write'])
      for (const query of ['', '?rating=4', `?user_id=${author.id}`]) {
        const others = query === '' ? ['published'] : []
        for (const as of [shop, stranger, { request: narrow }]) {
          assert.deepEqual(await listOf(as as TestApp, query), others)
        }
        for (const as of [author, admin]) {
          assert.deepEqual(await listOf(as, query), ['hidden', ...others])
        }
      }
      for (const as of [shop, stranger]) {
        assert.equal((await as.request('GET', path)).json.error_code, '4041')
        const { json } = await as.request('GET', `/products/${productId}?include=reviews`)
        assert.equal(json.reviews.length, 1)
      }
      assert.equal((await stranger.request('PATCH', path, { rating: 1 })).json.error_code, '4041')
      for (const as of [author, admin]) {
        assert.equal((await as.request('GET', path)).json.status, 'hidden')
        const { json } = await as.request('GET', `/products/${productId}?include=reviews`)
        assert.equal(json.reviews.length, 2)
      }
    })

    test('that is hidden is still the only one of its author, who cannot evade that', async () => {
      await hide()
      const reviews = `/products/${productId}/reviews`
      const second = await author.request('POST', reviews, { rating: 5 })
      assert.equal(second.json.error_code, '4092')
      const changed = await author.request('PATCH', path, { rating: 5 })
      assert.equal(changed.json.status, 'hidden')
      await author.request('DELETE', path)
      const again = await author.request('POST', reviews, { rating: 5 })
      assert.equal(again.json.status, 'hidden')
      assert.deepEqual(await ratingOf(), { average: null, count: 0 })
    })

    test('has the links that its state and the caller permit', async () => {
      const linksFor = async (as: TestApp | TestCaller) =>
        Object.keys((await as.request('GET', path)).json._links).sort()
      assert.deepEqual(await linksFor(shop), ['product', 'reviews', 'self'])
      assert.deepEqual(await linksFor(stranger), ['product', 'reviews', 'self'])
      const own = ['delete', 'edit', 'product', 'reviews', 'self']
      assert.deepEqual(await linksFor(author), own)
      assert.deepEqual(await linksFor(admin), [...own, 'hide'].sort())
      await hide()
      assert.deepEqual(await linksFor(author), own)
      assert.deepEqual(await linksFor(admin), [...own, 'publish'].sort())
    })

    test('has an ETag for each user, and one for all anonymous callers', async () => {
      const product = `/products/${productId}`
      for (const url of [path, `${product}/reviews`, `${product}?include=reviews`]) {
        const read = async (as: TestApp | TestCaller) =>
          String((await as.request('GET', url)).headers['etag'])
        assert.doesNotMatch(await read(shop), /@/)
        assert.match(await read(author), new RegExp(`@${author.id}"$`))
        assert.match(await read(stranger), new RegExp(`@${stranger.id}"$`))
      }
      // The links of a product alone are the same for all customers.
      const { headers } = await shop.request('GET', product)
      assert.equal((await author.request('GET', product)).headers['etag'], headers['etag'])
    })

    test('counts exactly, whatever is changed at once', async () => {
      const reviews = `/products/${productId}/reviews`
      const others = await Promise.all([1, 2, 3].map(() => buyerOf(productId)))
      const created = await Promise.all(
        others.map((as, place) => as.request('POST', reviews, { rating: place + 1 })),
      )
      const paths = created.map(({ json }) => `${reviews}/${json.id}`)
      const writes = paths.flatMap((each, place) => {
        const as = others[place] ?? author
        return [
          as.request('PATCH', each, { rating: 5 }),
          admin.request('PATCH', each, { status: 'hidden' }),
          admin.request('PATCH', each, { status: 'hidden' }),
          as.request('PATCH', each, { rating: 1 }),
          admin.request('PATCH', each, { status: 'published' }),
          ...(place === 0 ? [as.request('DELETE', each), admin.request('DELETE', each)] : []),
        ]
      })
      for (const { status, text } of await Promise.all(writes)) {
        assert.ok([200, 204, 410].includes(status), text)
      }
      const { json } = await admin.request('GET', reviews)
      const published = json.data.filter((row: Json) => row.status === 'published')
      const sum = published.reduce((total: number, row: Json) => total + row.rating, 0)
      const { rating_sum, rating_count } = await shop.db
        .selectFrom('products')
        .select(['rating_sum', 'rating_count'])
        .where('id', '=', productId)
        .executeTakeFirstOrThrow()
      assert.deepEqual(
        { rating_sum, rating_count },
        { rating_sum: sum, rating_count: published.length },
      )
      assert.deepEqual(await findWrongCounts(shop.db), [])
    })
  })
})
