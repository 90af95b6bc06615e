import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { addGeneratedData } from '#src/demo/fill.ts'
import type { PageRequest } from '#store/query/page.ts'
import type { TimeLimits } from '#store/query/time-limits.ts'
import { writeBatch } from '#store/query/write-batch.ts'
import { wordsOfQuery } from '#store/search/query-words.ts'
import { wordsOfText } from '#store/search/words.ts'
import { rowTimestamp } from '#test/support/rows.ts'
import {
  openTemporaryStore,
  skipReason,
  storeKinds,
  type TemporaryStore,
} from '#test/support/services/databases.ts'
import { CurrentColumns } from './columns/column-store.ts'
import { listProducts } from './list-store.ts'
import { createProductState } from './rules.ts'
import type { ProductFilters } from './schema.ts'
import { takeStockStatements } from './stock/stock-store.ts'
import { insertProduct, removeProduct, saveProduct } from './store.ts'
import type { ProductRow } from './table.ts'

// Above `fewToSort`, so that some words match more products than that and others fewer.
const count = 6000
const now = rowTimestamp

const changeFilters: readonly ProductFilters[] = [
  {},
  { category: ['garden'] },
  { variants: 'all' },
  { q: 's' },
]

const isInStock = ({ deleted_at, availability, stock }: ProductRow) =>
  deleted_at === null && availability === 'in_stock' && Number(stock) > 1

/** Sorts of the list, and the columns that give their order. */
const changeSorts = { updated_at: 'updated_at', price: 'list_price', id: 'id' } as const

const juicer = createProductState({ name: 'Zitronenpresse', price: 100 })

/** The expected result: each search word starts a word of the product, and every filter matches. */
function matches(
  product: ProductRow,
  { q = '', category, availability, price_min, price_max }: ProductFilters,
) {
  const texts = [product.name, product.sku ?? '', product.category ?? '']
  const productWords = [
    ...texts.flatMap((text) => wordsOfText(text)),
    ...wordsOfText(product.description, true),
  ]
  const { typed, optional } = wordsOfQuery(q)
  return (
    product.deleted_at === null &&
    (category === undefined || category.includes(product.category ?? 'none')) &&
    (availability === undefined || availability.includes(product.availability)) &&
    (price_min === undefined || product.price >= price_min) &&
    (price_max === undefined || product.price <= price_max) &&
    typed.every(
      (prefix, at) => optional.has(at) || productWords.some((word) => word.startsWith(prefix)),
    )
  )
}

for (const kind of storeKinds) {
  describe(`a search on ${kind}`, { skip: skipReason(kind) }, () => {
    let temporary: TemporaryStore
    let catalogue: readonly ProductRow[]
    const columns = new CurrentColumns()
    const list = (filters: ProductFilters, page: Partial<PageRequest> = {}) => {
      const request = { page: 1, limit: 20, sort: 'id', order: 'asc', ...page } as const
      return listProducts(temporary.store.db, columns, filters, request)
    }
    const idsOf = (rows: readonly ProductRow[]) => rows.map(({ id }) => id)
    before(async () => {
      temporary = await openTemporaryStore(kind)
      const shop = { currency: 'USD', currencyDigits: 2 }
      await addGeneratedData(
        temporary.store,
        { kind: 'products', count, shop, now },
        () => undefined,
      )
      await temporary.store.transaction(async (db) => {
        for (const product of await db.selectFrom('products').selectAll().limit(9).execute()) {
          await removeProduct(db, product, now)
        }
      })
      await sql`update products set created_at = created_at - id % 977, rating_sum = 1 + id % 5, rating_count = 1,
        rating_average = 1 + id % 5 where id % 3 > 0`.execute(temporary.store.db)
      catalogue = await temporary.store.db.selectFrom('products').selectAll().execute()
    })
    after(() => temporary.dispose())

    const searches: readonly ProductFilters[] = [
      { q: 'c' },
      { q: 'a h' },
      { q: 'steel' },
      { q: 'Kitch st' },
      { q: 'copper ladle harbour' },
      { q: 'adl' },
      { q: 's', category: ['garden'] },
      { q: 's', category: ['garden', 'books', 'unknown'] },
      { q: 'a', availability: ['preorder'] },
      { category: ['garden', 'books'] },
      { category: ['garden', 'books'], availability: ['preorder', 'in_stock'], price_max: 9000 },
      { category: ['garden', ''], availability: ['out_of_stock'] },
      { category: [''] },
      { q: 'oak', availability: ['in_stock'], price_max: 9000 },
      { q: 'a', price_max: 5000, category: ['books'] },
      { price_min: 1000, price_max: 6000 },
      { availability: ['preorder'] },
    ]
    const someTimes: readonly TimeLimits[] = [
      {},
      { created_since: now - 900 },
      { created_since: now - 700, created_before: now - 400 },
    ]
    for (const [at, filters] of searches.entries()) {
      test(`finds exactly the matches of ${JSON.stringify(filters)} in every order`, async () => {
        const times = someTimes[at % someTimes.length] ?? {}
        const { created_since = 0, created_before = now + 1 } = times
        const expected = catalogue.filter(
          (product) =>
            matches(product, filters) &&
            product.created_at >= created_since &&
            product.created_at < created_before,
        )
        for (const order of ['asc', 'desc'] as const) {
          const sign = order === 'asc' ? 1 : -1
          const byId = expected.toSorted((a, b) => sign * (a.id - b.id))
          const by = (column: (product: ProductRow) => number) =>
            byId.toSorted((a, b) => sign * (column(a) - column(b)))
          for (const [sort, inOrder] of [
            ['id', byId],
            ['price', by(({ price }) => price)],
            ['rating', by(({ rating_average }) => rating_average ?? 0)],
            ['created_at', by(({ created_at }) => created_at)],
          ] as const) {
            const ids = idsOf(inOrder)
            const first = await list(filters, { sort, order, times })
            assert.equal(first.totalItems, ids.length)
            assert.deepEqual(idsOf(first.rows), ids.slice(0, 20), sort)
            const third = await list(filters, { sort, order, page: 3, times })
            assert.deepEqual(idsOf(third.rows), ids.slice(40, 60), sort)
            if (first.next === undefined) continue
            const second = await list(filters, { sort, order, page: 2, cursor: first.next, times })
            assert.equal(second.totalItems, ids.length)
            assert.deepEqual(idsOf(second.rows), ids.slice(20, 40), sort)
          }
        }
      })
    }

    test('sorts and limits products by their last change, which an order line is too', async () => {
      const { db } = temporary.store
      const sold = catalogue.filter(isInStock)
      for (const [at, product] of sold.slice(0, 300).entries()) {
        const line = { product: { ...product, stock: Number(product.stock) }, quantity: 1 }
        const changedAt = now + 1000 - (at % 50)
        await temporary.store.transaction((tx) =>
          writeBatch(tx, takeStockStatements(tx, [line], changedAt).writes),
        )
      }
      catalogue = await db.selectFrom('products').selectAll().execute()
      const since = now + 1000 - 30
      for (const filters of changeFilters) {
        for (const times of [undefined, { updated_since: since }, { updated_before: since }]) {
          for (const [sort, column] of Object.entries(changeSorts)) {
            const isWithin = ({ updated_at }: ProductRow) =>
              times === undefined || updated_at >= since === 'updated_since' in times
            const expected = catalogue
              .filter((product) => matches(product, filters) && isWithin(product))
              .toSorted((a, b) => a[column] - b[column] || a.id - b.id)
            const request = { sort, limit: 40, times }
            const first = await list(filters, request)
            assert.equal(first.totalItems, expected.length)
            assert.deepEqual(idsOf(first.rows), idsOf(expected.slice(0, 40)))
            const third = await list(filters, { ...request, page: 3 })
            assert.deepEqual(idsOf(third.rows), idsOf(expected.slice(80, 120)))
            const next = await list(filters, { ...request, cursor: first.next })
            if (first.next) assert.deepEqual(idsOf(next.rows), idsOf(expected.slice(40, 80)))
          }
        }
      }
    })

    test('reflects a product that is added, changed and removed', async () => {
      const { store } = temporary
      const found = async (q: string) => idsOf((await list({ q })).rows)
      const product = await store.transaction((db) => insertProduct(db, juicer, now))
      assert.deepEqual(await found('zitro'), [product.id])
      const changed = { ...juicer, name: 'Saftpresse', category: 'Öfen' }
      const saved = await store.transaction((db) => saveProduct(db, product, changed, now))
      assert.deepEqual(await found('zitro'), [])
      assert.deepEqual(await found('ofen saftpresse'), [product.id])
      const undone = store.transaction(async (db) => {
        await saveProduct(db, saved, juicer, now)
        throw new Error('rolled back')
      })
      await assert.rejects(undone)
      assert.deepEqual(await found('saftpresse'), [product.id])
      await store.transaction((db) => removeProduct(db, saved, now))
      assert.deepEqual(await found('saftpresse'), [])
    })

    test('forgives one typing error, unless a product has the word', async () => {
      const { store } = temporary
      const add = (name: string) =>
        store.transaction((db) => insertProduct(db, { ...juicer, name }, now))
      const funnel = await add('Einfülltrichter aus Weißblech')
      const found = async (q: string) => idsOf((await list({ q })).rows)
      for (const q of ['einfulltrichtre', 'Einfültrichter', 'weissblech trichter', 'weißblch']) {
        const isMeant = !q.startsWith('weiss')
        assert.deepEqual(await found(q), isMeant ? [funnel.id] : [], q)
      }
      assert.deepEqual(await found('weißblch einfulltrichtrr'), [funnel.id])
      assert.deepEqual(await found('weißblch copper'), [])
      const exact = await add('Weißblch')
      assert.deepEqual(await found('weißblch'), [exact.id])
      await store.transaction((db) => removeProduct(db, exact, now))
      assert.deepEqual(await found('weißblch'), [funnel.id])
    })

    test('finds words spelled without the letters of a language or with another space, and scripts without spaces', async () => {
      const { store } = temporary
      const add = (name: string) =>
        store.transaction((db) => insertProduct(db, { ...juicer, name }, now))
      const found = async (q: string) => idsOf((await list({ q })).rows)
      const cases: readonly (readonly [name: string, ...typed: string[]])[] = [
        ['Straßenschuh Größe 43', 'strassenschuh', 'STRASSENSCHUH', 'strassenschuh groesse'],
        ['Smørrebrødfjøl', 'smorrebrodfjol', 'smoerrebroedfjoel'],
        ['Œuvre reliée', 'oeuvre'],
        ['Łyżeczka', 'lyzeczka'],
        ['陶瓷咖啡杯', '咖啡怀', '咖非杯陶瓷', '陶瓷珈啡杯'],
        ['コーヒーミル', 'コヒーミル'],
        ['주전자', '주전재'],
        ['קומקום', 'קומקומ'],
        ['إبريق', 'ابريق'],
        ['Kaffeemaschine', 'kaffee maschine', 'Kaffee-Maschine', 'kafeemaschine'],
        ['Velvet cushion', 'velvetcushion'],
      ]
      for (const [name, ...queries] of cases) {
        const { id } = await add(name)
        for (const q of queries) assert.deepEqual(await found(q), [id], q)
      }
      assert.deepEqual(await found('咖杯'), [])
      assert.deepEqual(await found('苹果陶瓷'), [])
    })

    test('finds products added concurrently', async () => {
      const { store } = temporary
      const add = (name: string) =>
        store.transaction((db) => insertProduct(db, { ...juicer, name }, now))
      await Promise.all(Array.from({ length: 16 }, (_, at) => add(`Quirl ${at}`)))
      assert.equal((await list({ q: 'quirl' })).totalItems, 16)
      assert.equal((await list({ q: 'quirl 1' })).totalItems, 7)
    })
  })
}
