import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { filteredProducts } from '#shop/catalogue/products/filtered-store.ts'
import type { ProductFilters } from '#shop/catalogue/products/schema.ts'
import type { Db } from '#store/database.ts'
import { openTemporaryStore, skipReason, storeKinds } from '#test/support/services/databases.ts'
import { applyRandomChange, seededRandom } from '#test/support/shop/random-changes.ts'
import { CurrentColumns } from './column-store.ts'
import { countMatching, findMatching } from './matching-store.ts'

const someFilters: readonly ProductFilters[] = [
  {},
  { variants: 'all' },
  { availability: ['in_stock'] },
  { availability: ['out_of_stock', 'preorder'], variants: 'all' },
  { price_min: 1000, price_max: 5000 },
  { category: ['unknown'] },
  { status: ['active'] },
  { status: ['draft', 'archived'], variants: 'all' },
]

/** Asserts that the columns have what the rows of products have now. */
async function assertCurrent(db: Db, current: CurrentColumns): Promise<void> {
  const place = { db, current, found: undefined }
  for (const filters of someFilters) {
    const rows = await filteredProducts(db, filters).select('id').orderBy('id').execute()
    const found = await findMatching(place, { filters })
    assert.deepEqual(
      found.all(),
      rows.map(({ id }) => id),
      JSON.stringify(filters),
    )
  }
  const counts = await countMatching(place, { filters: {} }, ['rating', 'category'])
  const products = await filteredProducts(db, {}).select(['category', 'rating_average']).execute()
  const countsOf = (values: readonly unknown[]) =>
    new Map(
      Map.groupBy(values, (value) => value)
        .entries()
        .map(([key, of]) => [key, of.length]),
    )
  assert.deepEqual(counts.get('category'), countsOf(products.map(({ category }) => category)))
  const stars = products.map(({ rating_average }) => Math.round(rating_average ?? 0))
  assert.deepEqual(counts.get('rating'), countsOf(stars))
}

for (const kind of storeKinds) {
  describe(`columns of products on ${kind}`, { skip: skipReason(kind) }, () => {
    test('are those of the rows after changes of all kinds and rollbacks', async (t) => {
      const { store, dispose } = await openTemporaryStore(kind)
      t.after(dispose)
      const random = seededRandom(11)
      const current = new CurrentColumns()
      for (let index = 0; index < 120; index += 1) {
        const work = store.transaction(async (db) => {
          await applyRandomChange(db, random)
          if (index % 4 === 0) throw new Error('rolled back')
        })
        await (index % 4 === 0 ? assert.rejects(work, /rolled back/) : work)
        if (index % 5 === 1) await assertCurrent(store.db, current)
      }
      await sql`update products set availability = 'discontinued', price = 4999`.execute(store.db)
      await assertCurrent(store.db, current)
      const { all } = await findAll(store.db, current, { availability: ['discontinued'] })
      assert.ok(all > 0)
    })

    test('that are read at the same time have all that was committed before', async (t) => {
      const { store, dispose } = await openTemporaryStore(kind)
      t.after(dispose)
      const random = seededRandom(3)
      const current = new CurrentColumns()
      for (let index = 0; index < 30; index += 1) {
        await store.transaction((db) => applyRandomChange(db, random))
        const reads = [1, 2].map(() => findAll(store.db, current, {}))
        const [{ number }] = await sql<{ number: number }>`select count(*) as number from products
          where section % 2 = 0 and deleted_at is null`
          .execute(store.db)
          .then(({ rows }) => rows as [{ number: number }])
        for (const { all } of await Promise.all(reads)) assert.equal(all, number)
      }
    })
  })
}

async function findAll(db: Db, current: CurrentColumns, filters: ProductFilters) {
  return { all: (await findMatching({ db, current, found: undefined }, { filters })).size }
}
