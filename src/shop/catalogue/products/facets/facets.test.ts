import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Db } from '#store/database.ts'
import { dialectOf } from '#store/query/dialect.ts'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'
import { mergeOptionCounts, mostFrequent, priceRange } from './facets.ts'

interface Value {
  readonly value: string | number
  readonly count: number
}

describe('the ranges of prices', () => {
  const cases = [
    [0, 0, 0],
    [7, 7, 7],
    [10, 10, 19],
    [2000, 2000, 2999],
    [90_000, 90_000, 99_999],
  ] as const
  for (const [step, from, to] of cases) {
    test(`of ${step} reach from ${from} to ${to}`, () => {
      assert.deepEqual(priceRange(step), { from, to })
    })
  }
})

test('counts of parts add up, the most frequent value first', () => {
  const counts = [
    { value: 'a', count: 1 },
    { value: null, count: 9 },
    { value: 'b', count: 2 },
    { value: 'a', count: 3 },
    { value: 'c', count: 2 },
  ]
  assert.deepEqual(mostFrequent(counts), [
    { value: 'a', count: 4 },
    { value: 'b', count: 2 },
    { value: 'c', count: 2 },
  ])
})

test('values that differ only in case are one, in their most frequent spelling', () => {
  const counts = [
    { value: 'm', count: 1 },
    { value: 'L', count: 2 },
    { value: 'M', count: 3 },
  ]
  assert.deepEqual(mergeOptionCounts(counts), [
    { value: 'M', count: 4 },
    { value: 'L', count: 2 },
  ])
})

eachDatabase((kind) => {
  describe('facets', () => {
    let shop: TestApp
    let admin: TestCaller
    const sizes = ['S', 'm', 'M', 'XL']
    before(async () => {
      shop = await startTestApp(kind)
      admin = await shop.signInAs('admin')
      for (let made = 0; made < 24; made++) {
        // More products are counted in parts, by their IDs.
        if (made % 8 === 7) await skipIds(shop.db, 10_000)
        const { id } = await create({
          name: `${made % 2 === 0 ? 'Copper' : 'Oak'} thing ${made}`,
          price: made * 7.5,
          category: made % 5 === 0 ? null : `shelf, ${made % 3}`,
          availability: made % 4 === 0 ? 'preorder' : 'in_stock',
          stock: made % 3 === 0 ? made : null,
        })
        if (made % 6 !== 0) continue
        for (const size of sizes.slice(0, 1 + (made % 7))) {
          const tint = made % 4 === 0 || size === 'S' ? '"red"' : 'blue'
          const options = { size, tint, sold_by: 'Cartwright' }
          const variant = { variant_of: id, options, stock: made }
          const { status } = await admin.request('POST', '/products', {
            name: `Size ${size}`,
            price: 10 + made,
            category: 'sizes',
            ...variant,
          })
          assert.ok(status === 201 || size === 'M')
        }
      }
      const rated = shop.db.updateTable('products').where('id', '<', 9)
      await rated.set({ rating_sum: 9, rating_count: 2, rating_average: 4.5 }).execute()
    })
    after(() => shop.dispose())

    const create = async (product: object) => {
      const { status, json, text } = await admin.request('POST', '/products', product)
      assert.equal(status, 201, text)
      return json
    }
    const get = async (path: string) => {
      const { status, json, text } = await shop.request('GET', path)
      assert.equal(status, 200, `${path}: ${text}`)
      return json
    }
    const facetsOf = async (query: URLSearchParams, names: string) =>
      (await get(`/products?${query}&facets=${names}&limit=1`)).facets
    const total = async (query: URLSearchParams): Promise<number> =>
      (await get(`/products?${query}&limit=1`)).pagination.total_items
    const without = (query: URLSearchParams, ...names: string[]) => {
      const rest = new URLSearchParams(query)
      for (const name of names) rest.delete(name)
      return rest
    }

    const queries = [
      '',
      'category=shelf, 1',
      'category=shelf, 1&category=shelf, 2',
      'availability=in_stock',
      'category=shelf, 2&availability=preorder',
      'price_min=20&price_max=80',
      'price_min=20&price_max=69.99',
      'price_max=59.99&category=shelf, 2',
      'price_min=20.01&price_max=79.98',
      'name=Oak thing 7',
      'name=Copper thing 6&option.size=S',
      'q=copper',
      'q=coper',
      'q=thing&category=shelf, 1&price_max=90',
      'option.size=M',
      'option.size=S,XL&availability=in_stock',
      'q=oak&option.size=S',
      'created_since=2000-01-01T00:00:00Z&q=thing',
      'created_before=2000-01-01T00:00:00Z',
      'option.size=XL&option.tint="Red"',
      'option.size=S,m&option.tint=blue&category=shelf, 0',
      'q=thing&option.size=XL&option.tint=blue&option.sold_by=cartwright',
      'variants=all&option.size=XL&option.tint=blue',
      'variants=all',
      'variants=all&option.size=m',
      'variants=all&category=sizes&price_min=20',
    ]
    for (const text of queries) {
      test(`count what the list with "${text}" has for each of their values`, async () => {
        const query = new URLSearchParams(text)
        const names = 'category,availability,price,rating,option.size,option.tint,option.colour'
        const facets = await facetsOf(query, names)
        assert.deepEqual(Object.keys(facets).join(), names)
        for (const name of ['category', 'availability', 'option.size', 'option.tint']) {
          for (const { value, count } of facets[name] as readonly Value[]) {
            const filtered = without(query, name)
            filtered.append(name, String(value))
            assert.equal(count, await total(filtered), `${name} ${value}`)
          }
        }
        for (const { from, to, count } of facets.price) {
          const filtered = without(query, 'price_min', 'price_max')
          filtered.append('price_min', from)
          filtered.append('price_max', to)
          assert.equal(count, await total(filtered), `price ${from}`)
        }
        const sum = facets.price.reduce((all: number, { count }: Value) => all + count, 0)
        assert.equal(sum, await total(without(query, 'price_min', 'price_max')))
        assert.deepEqual(facets['option.colour'], [])
        const { data } = await get(`/products?${query}&limit=100`)
        const rated = data.filter((each: { rating: { count: number } }) => each.rating.count > 0)
        const stars = rated.length === 0 ? [] : [{ value: 5, count: rated.length }]
        assert.deepEqual(facets.rating, stars)
      })
    }

    test('are on every page by number, and on none by cursor', async () => {
      const first = await get('/products?limit=5&facets=availability')
      const second = await get('/products?limit=5&page=2&facets=availability')
      assert.deepEqual(second.facets, first.facets)
      const { next_cursor } = first.pagination
      const next = await get(`/products?limit=5&facets=availability&cursor=${next_cursor}`)
      assert.equal('facets' in next, false)
      assert.equal('facets' in (await get('/products?limit=5')), false)
    })

    test('reflect a change at once, also in a cached response', async () => {
      const count = async () =>
        (await get('/products?facets=availability')).facets.availability.find(
          ({ value }: Value) => value === 'discontinued',
        )?.count
      const before = await count()
      const { id } = await create({ name: 'Old', price: 1, availability: 'discontinued' })
      assert.equal(await count(), (before ?? 0) + 1)
      await admin.request('DELETE', `/products/${id}`)
      assert.equal(await count(), before)
    })

    test('show a value as its variant spells it now', async () => {
      const parent = await create({ name: 'Spelled', price: 7 })
      const variant = { name: 'V', price: 7, variant_of: parent.id, options: { ink: 'blue' } }
      const { id } = await create(variant)
      const inks = async () => (await get('/products?facets=option.ink')).facets['option.ink']
      assert.deepEqual(await inks(), [{ value: 'blue', count: 1 }])
      const { status } = await admin.request('PATCH', `/products/${id}`, {
        options: { ink: 'Blue' },
      })
      assert.equal(status, 200)
      assert.deepEqual(await inks(), [{ value: 'Blue', count: 1 }])
    })

    test('have amounts as objects in version 2', async () => {
      const { facets } = await get('/v2/products?facets=price&category=none')
      assert.deepEqual(facets.price, [])
      const [first] = (await get('/v2/products?facets=price')).facets.price
      assert.deepEqual(first.from, { amount: '7.00', currency: 'USD' })
    })

    test('of unknown names are rejected', async () => {
      for (const name of ['colour', 'option.', `option.${'n'.repeat(51)}`, 'price,name']) {
        assert.equal((await shop.request('GET', `/products?facets=${name}`)).status, 400)
      }
    })

    test('agree with their counters', () => reconcileCounters(shop))
  })

  describe('categories', () => {
    test('have as many products as their list, and lead to it', async () => {
      const shop = await startTestApp(kind)
      const admin = await shop.signInAs('admin')
      const ids: number[] = []
      for (const category of ['b, c', 'a', 'b, c', null]) {
        const { json } = await admin.request('POST', '/products', { name: 'X', price: 1, category })
        ids.push(json.id)
      }
      const size = { variant_of: ids[3], options: { size: 'M' } }
      await admin.request('POST', '/products', { name: 'M', price: 1, category: 'a', ...size })
      const read = async (query = '') => (await shop.request('GET', `/categories${query}`)).json
      const { data, pagination } = await read()
      assert.deepEqual(
        data.map(({ name, product_count }: Record<string, unknown>) => [name, product_count]),
        [
          ['a', 1],
          ['b, c', 2],
        ],
      )
      assert.equal(pagination.total_items, 2)
      for (const { product_count, _links } of data) {
        const { json } = await shop.request('GET', _links.products.href)
        assert.equal(json.pagination.total_items, product_count)
      }
      const first = await read('?sort=product_count&order=desc&limit=1')
      assert.equal(first.data[0].name, 'b, c')
      const next = await read(
        `?sort=product_count&order=desc&limit=1&cursor=${first.pagination.next_cursor}`,
      )
      assert.equal(next.data[0].name, 'a')
      await admin.request('DELETE', `/products/${ids[1]}`)
      assert.deepEqual((await read()).pagination.total_items, 1)
      await reconcileCounters(shop)
      await shop.dispose()
    })
  })
})

/** Makes the next product have an ID that is this much higher. */
async function skipIds(db: Db, count: number): Promise<void> {
  await (dialectOf(db) === 'sqlite'
    ? sql`update sqlite_sequence set seq = seq + ${count} where name = 'products'`
    : sql`select nextval(pg_get_serial_sequence('products', 'id')) from generate_series(1, ${count}::bigint)`
  ).execute(db)
}

/** Asserts that every counter is right; the ratings of this test have no reviews. */
async function reconcileCounters({ db }: TestApp): Promise<void> {
  await db
    .updateTable('products')
    .set({ rating_sum: 0, rating_count: 0, rating_average: null })
    .execute()
  await reconcile(db)
}
