import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { PageRequest } from '#store/query/page.ts'
import {
  insertOrder,
  insertProduct,
  insertUser,
  recordPurchases,
  rowTimestamp,
} from '#test/support/rows.ts'
import {
  type CountingStore,
  countStatements,
  openTemporaryStore,
  skipReason,
  storeKinds,
  type TemporaryStore,
} from '#test/support/services/databases.ts'
import { listRelated, loadRelated, maxEmbeddedRelated } from './related-store.ts'
import type { ProductRow } from './table.ts'

const firstPage: PageRequest = { page: 1, limit: 20, sort: 'relevance', order: 'asc' }
const namesOf = (rows: readonly ProductRow[] = []) => rows.map(({ name }) => name)

for (const kind of storeKinds) {
  describe(`related products on ${kind}`, { skip: skipReason(kind) }, () => {
    let temporary: TemporaryStore
    let counting: CountingStore
    let shelf: Readonly<Record<string, ProductRow>>
    const product = (name: string): ProductRow => shelf[name] ?? assert.fail(`no product ${name}`)

    const record = (order: { readonly id: number; readonly user_id: number }) =>
      recordPurchases(temporary.store, order)

    before(async () => {
      temporary = await openTemporaryStore(kind)
      counting = countStatements(temporary.store)
      const { db } = temporary.store
      const shelve = async (name: string, category: string | null, changes = {}) =>
        [name, await insertProduct(db, { name, category, ...changes })] as const
      shelf = Object.fromEntries([
        await shelve('kettle', 'kitchen'),
        await shelve('pan', 'kitchen'),
        await shelve('pot', 'kitchen'),
        await shelve('tea', 'food'),
        await shelve('cup', null),
        await shelve('old kettle', 'kitchen', { availability: 'discontinued' }),
        await shelve('lost kettle', 'kitchen', { deleted_at: rowTimestamp }),
        await shelve('spoon', 'kitchen', { availability: 'out_of_stock' }),
      ])
      const buyer = await insertUser(db, 'Ada')
      for (const names of [
        ['kettle', 'tea'],
        ['kettle', 'tea', 'pot'],
        ['kettle', 'tea', 'cup'],
        ['kettle', 'pot', 'old kettle', 'lost kettle'],
        ['pan', 'cup'],
      ]) {
        const id = await insertOrder(db, buyer.id, names.map(product))
        await record({ id, user_id: buyer.id })
      }
    })
    after(() => temporary.dispose())

    const related = (name: string, request: Partial<PageRequest> = {}) =>
      listRelated(counting.store.db, product(name), { ...firstPage, ...request })

    test('are first those most often bought together, then those of the category', async () => {
      const { rows, totalItems } = await related('kettle')
      assert.deepEqual(namesOf(rows), ['tea', 'pot', 'cup', 'pan', 'spoon'])
      assert.equal(totalItems, 5)
    })

    test('of a product without a category are those bought together', async () => {
      assert.deepEqual(namesOf((await related('cup')).rows), ['kettle', 'pan', 'tea'])
    })

    test('of a product that was never bought are those of its category', async () => {
      assert.deepEqual(namesOf((await related('spoon')).rows), ['kettle', 'pan', 'pot'])
    })

    test('are paged by number and by cursor without repeats or gaps', async () => {
      const all = namesOf((await related('kettle')).rows)
      const byNumber: string[] = []
      for (const page of [1, 2, 3, 4]) {
        const { rows, totalItems } = await related('kettle', { page, limit: 2 })
        assert.equal(totalItems, 5)
        byNumber.push(...namesOf(rows))
      }
      assert.deepEqual(byNumber, all)
      const byCursor: string[] = []
      let cursor: PageRequest['cursor']
      do {
        const { rows, next } = await related('kettle', { limit: 2, cursor })
        byCursor.push(...namesOf(rows))
        cursor = next
      } while (cursor !== undefined)
      assert.deepEqual(byCursor, all)
    })

    test('are reversed in descending order', async () => {
      const all = namesOf((await related('kettle')).rows)
      const { rows } = await related('kettle', { order: 'desc' })
      assert.deepEqual(namesOf(rows), all.reverse())
    })

    test('are embedded in several products in the same order as each list', async () => {
      const bases = ['kettle', 'cup', 'spoon', 'tea'].map(product)
      const loaded = await loadRelated(counting.store.db, bases)
      for (const base of bases) {
        assert.deepEqual(namesOf(loaded.get(base)), namesOf((await related(base.name)).rows))
      }
    })

    test('take two statements to list and one to embed, for any number of products', async () => {
      counting.takeCount()
      await related('kettle')
      assert.equal(counting.takeCount(), 2)
      await loadRelated(counting.store.db, Object.values(shelf))
      assert.equal(counting.takeCount(), 1)
      assert.equal((await loadRelated(counting.store.db, [])).size, 0)
    })

    test('are embedded up to a maximum, starting with the first of a large category', async () => {
      const { db } = temporary.store
      const rows: ProductRow[] = []
      for (let place = 0; place < maxEmbeddedRelated + 5; place += 1) {
        rows.push(await insertProduct(db, { name: `book ${place}`, category: 'books' }))
      }
      const [first, , , fourth] = rows
      const last = rows.at(-1)
      assert.ok(first && fourth && last)
      const buyer = await insertUser(db, 'Ben')
      const id = await insertOrder(db, buyer.id, [first, last, fourth])
      await record({ id, user_id: buyer.id })
      const loaded = await loadRelated(db, [first])
      const { rows: listed } = await listRelated(db, first, firstPage)
      assert.deepEqual(namesOf(loaded.get(first)), namesOf(listed).slice(0, maxEmbeddedRelated))
      assert.deepEqual(namesOf(listed).slice(0, 3), ['book 3', 'book 14', 'book 1'])
    })

    test('count only the most recent 500 orders', async () => {
      const { db } = temporary.store
      const [lamp, bulb, shade] = [
        await insertProduct(db, { name: 'lamp' }),
        await insertProduct(db, { name: 'bulb' }),
        await insertProduct(db, { name: 'shade' }),
      ]
      const orders = Array.from({ length: 501 }, (_, order) => 1_000_000 + order)
      const line = (order_id: number, { id }: ProductRow, place: number) => ({
        user_id: null,
        product_id: id,
        order_id,
        order_item_id: 10 * order_id + place,
        quantity: 1,
        unit_price: 100,
        purchased_at: rowTimestamp,
      })
      await db
        .insertInto('purchases')
        .values(
          orders.flatMap((order, place) => [
            line(order, lamp, 1),
            line(order, place === 0 ? shade : bulb, 2),
          ]),
        )
        .execute()
      assert.deepEqual(namesOf((await listRelated(db, lamp, firstPage)).rows), ['bulb'])
    })
  })
}
