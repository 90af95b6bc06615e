import { summarizeImages } from '#shop/catalogue/images/rules.ts'
import { maxImages } from '#shop/catalogue/images/schema.ts'
import { fields, maxOptions } from '#shop/catalogue/products/fields.ts'
import { createProductState } from '#shop/catalogue/products/rules.ts'
import { ReviewBody } from '#shop/catalogue/reviews/schema.ts'
import { maxMergedLines } from '#shop/checkout/carts/schema.ts'
import { productRow } from '#src/demo/rows.ts'
import { insertProducts, insertRows, type NewRow } from '#src/demo/store.ts'
import type { Db } from '#store/database.ts'
import { reserveIds } from '#store/query/reserve-ids.ts'
import type { Fixtures } from '#test/contract/setup/fixture-ids.ts'
import type { PayingApp } from '#test/support/callers/paying.ts'
import { rowTimestamp, uniqueNumber } from '#test/support/rows.ts'
import { largestValue } from './values.ts'

/** How many rows a shop gets whose fields are as large as they may be. */
interface LargestRows {
  /** Products of these have as many reviews as a response embeds of one. */
  readonly reviewed: number
  readonly orders: number
}

const maxLimit = 100
const embeddedReviews = 20
const shopCurrency = { currency: 'USD', currencyDigits: 2 }
const times = { created_at: rowTimestamp, updated_at: rowTimestamp }
const numbersTo = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at)

/**
 * Inserts rows whose fields are as large as their schemas admit: a page of products with images, one of
 * variants, reviews, and orders of the fixtures' owner, whose cart and orders get as many lines as they may
 * have. Returns the IDs of the products, which can be ordered, and words that many of them have.
 */
export async function insertLargestRows(
  { store }: Pick<PayingApp, 'store'>,
  fixtures: Fixtures,
  { reviewed, orders }: LargestRows,
) {
  const productIds = await store.transaction(async (db) => {
    const ids = await insertLargestProducts(db, 2 * maxLimit)
    await insertVariants(db, fixtures.parent)
    await insertReviews(db, ids.slice(0, reviewed))
    for (const number of numbersTo(orders)) await insertOrder(db, fixtures.owner.id, ids, number)
    await fillCart(db, fixtures.owner.id, ids)
    return ids
  })
  return { productIds, words: ['kettle', 'largest', 'w1', 'w2', 'k'] }
}

/** Returns the largest value of a field of products, with words before it. */
const textOf = (name: 'name' | 'description' | 'category', start: string): string => {
  const text = String(largestValue(fields[name], { ids: {}, example: undefined }))
  return start + [...text].slice(start.length).join('')
}

async function insertLargestProducts(db: Db, count: number): Promise<readonly number[]> {
  const ids = await reserveIds(db, 'products', count)
  const rows = ids.map((id, at) => {
    const state = createProductState({
      name: textOf('name', `Largest kettle ${at} `),
      description: textOf(
        'description',
        numbersTo(1000)
          .map((word) => `w${word}`)
          .join(' '),
      ),
      price: 100 + at,
      category: textOf('category', `largest-${at} `),
      stock: 1_000_000,
    })
    return {
      id,
      ...productRow(state, shopCurrency, rowTimestamp),
      images: at < maxLimit ? largestImages(at) : null,
    }
  })
  await insertProducts(db, rows, rowTimestamp)
  return ids
}

const largestImages = (product: number): string | null =>
  summarizeImages(
    numbersTo(maxImages).map((at) => ({
      ...{ id: 1_000_000 + product * maxImages + at, alt: '🫖'.repeat(500), position: at + 1 },
      ...{ width: 1280, height: 960, hash: String(at).padStart(64, 'a') },
    })),
  )

/** Adds a page of variants to a product, with as many options as they may have. */
async function insertVariants(db: Db, parent: number): Promise<void> {
  const ids = await reserveIds(db, 'products', maxLimit)
  const rows = ids.map((id, at) => {
    const options = Object.fromEntries(
      numbersTo(maxOptions).map((option) => [`m${option}`, `${at} `.padEnd(200, '🫖')]),
    )
    const state = createProductState({
      name: `Variant ${at}`,
      price: 100,
      variant_of: parent,
      options,
      stock: 9,
    })
    return { id, ...productRow(state, shopCurrency, rowTimestamp) }
  })
  await insertProducts(db, rows, rowTimestamp)
}

async function insertReviews(db: Db, productIds: readonly number[]): Promise<void> {
  const { title, body } = largestValue(ReviewBody, { ids: {}, example: undefined }) as {
    readonly title: string
    readonly body: string
  }
  for (const product_id of productIds) {
    const rows = numbersTo(embeddedReviews).map(() => ({
      ...{ product_id, user_id: null, author: null, rating: 3, verified_purchase: 1 },
      ...{ title, body, ...times },
    }))
    await insertRows(db, 'reviews', rows)
  }
}

const linesOf = (ids: readonly number[], orderId: number): readonly NewRow<'order_items'>[] =>
  ids.slice(0, maxMergedLines).map((product_id) => ({
    ...{ order_id: orderId, product_id, name: textOf('name', 'Line '), unit_price: 100 },
    ...{ quantity: 1, line_total: 100, created_at: rowTimestamp },
  }))

async function insertOrder(db: Db, user_id: number, ids: readonly number[], number: number) {
  const [id = 0] = await reserveIds(db, 'orders', 1)
  const total = 100 * maxMergedLines
  await insertRows(db, 'orders', [
    {
      ...uniqueNumber(),
      ...{ id, user_id, status: 'delivered', currency: 'USD', item_count: maxMergedLines },
      ...{ subtotal: total, shipping_cost: 0, tax: 0, total, shipping_method: 'standard' },
      ...{ note: '🫖'.repeat(2000), contact_name: `Buyer ${number}`, ...times },
    },
  ])
  await insertRows(db, 'order_items', linesOf(ids, id))
}

/** Adds lines to a cart until it has as many as a cart may have. */
async function fillCart(db: Db, user_id: number, ids: readonly number[]): Promise<void> {
  const lines = await db
    .selectFrom('cart_items')
    .select('product_id')
    .where('user_id', '=', user_id)
    .execute()
  const known = new Set(lines.map(({ product_id }) => product_id))
  const rows = ids
    .filter((id) => !known.has(id))
    .slice(0, maxMergedLines - lines.length)
    .map((product_id) => ({ user_id, product_id, quantity: 1, ...times }))
  await insertRows(db, 'cart_items', rows)
}

/**
 * Gives the owner of fixtures a full cart, and their orders as many lines as an order may have. Returns the
 * IDs that lists in bodies hold.
 */
export async function enlargeFixtures(
  { store }: Pick<PayingApp, 'store'>,
  fixtures: Fixtures,
  products: readonly number[],
): Promise<Readonly<Record<string, readonly number[]>>> {
  return store.transaction(async (db) => {
    await fillCart(db, fixtures.owner.id, products)
    const orders = [createdOf(fixtures, 'pendingOrder'), createdOf(fixtures, 'paidOrder')]
    const total = 100 * maxMergedLines
    for (const id of orders) {
      if (id === undefined) continue
      await db.deleteFrom('order_items').where('order_id', '=', id).execute()
      await insertRows(db, 'order_items', linesOf(products, id))
      await db.updateTable('orders').set({ subtotal: total, total }).where('id', '=', id).execute()
      await db.updateTable('payments').set({ amount: total }).where('order_id', '=', id).execute()
    }
    const lines = await db
      .selectFrom('order_items')
      .select('id')
      .where('order_id', '=', orders[1] ?? 0)
      .execute()
    return { products, product_id: products, order_item_id: lines.map(({ id }) => id) }
  })
}

/** Returns a fixture, or undefined where it was not needed. */
function createdOf(fixtures: Fixtures, name: 'pendingOrder' | 'paidOrder'): number | undefined {
  try {
    return fixtures[name]
  } catch {
    return undefined
  }
}
