import type { Db } from '#db/database.ts'
import type { ProductState } from '#resources/products/rules.ts'
import { accountKey } from '#values/account-key.ts'
import { dayMs, hourMs, type Instant } from '#values/instant.ts'
import { DEMO_ORDERS, DEMO_PEOPLE, DEMO_PRODUCTS, DEMO_REVIEWS, personOf } from './data.ts'
import { insertOrders } from './insert-orders.ts'
import { cancelledAt, type DemoShop, placedAt, productRow, userRow } from './rows.ts'
import {
  findByEmailKey,
  findBySku,
  indexProducts,
  insertRows,
  type NewRow,
  reserveIds,
} from './store.ts'

// The oldest order is a year old.
const openedBeforeMs = 400 * dayMs

/**
 * Inserts the demo shop: products, customers without passwords, and their past orders, payments and
 * reviews. The caller owns the transaction.
 */
export async function insertDemo(db: Db, shop: DemoShop, now: Instant): Promise<void> {
  const opened = now - openedBeforeMs
  const people = DEMO_PEOPLE.map((person, index) => userRow(person, opened + index * hourMs))
  await insertRows(db, 'users', people)
  const ids = await reserveIds(db, 'products', DEMO_PRODUCTS.length)
  const products = DEMO_PRODUCTS.map((product, index) => {
    const created = opened + index * hourMs
    const id = ids[index] as number
    return { id, ...productRow(product, shop, created), ...changesOf(product, created, now) }
  })
  await insertRows(db, 'products', products)
  await indexProducts(db, products)
  await insertOrders(db, DEMO_ORDERS, shop, now)
  await insertRows(db, 'reviews', await reviewRows(db, now))
}

/** Returns the columns that reviews and orders have changed since `created`. */
function changesOf({ sku, stock }: ProductState, created: Instant, now: Instant) {
  const reviews = DEMO_REVIEWS.filter((review) => review.sku === sku)
  const orders =
    stock === null ? [] : DEMO_ORDERS.filter(({ items }) => items.some((item) => item.sku === sku))
  const changes = [
    ...reviews.map(({ age_hours }) => now - age_hours * hourMs),
    ...orders.map((order) => placedAt(order, now)),
    ...orders
      .filter(({ status }) => status === 'cancelled')
      .map((order) => cancelledAt(order, now)),
  ]
  const rating_sum = reviews.reduce((sum, { rating }) => sum + rating, 0)
  return {
    revision: 1 + changes.length,
    updated_at: Math.max(created, ...changes),
    rating_sum,
    rating_count: reviews.length,
    rating_average: reviews.length === 0 ? null : rating_sum / reviews.length,
  }
}

async function reviewRows(db: Db, now: Instant): Promise<readonly NewRow<'reviews'>[]> {
  const users = await findByEmailKey(
    db,
    DEMO_PEOPLE.map(({ email }) => accountKey(email)),
  )
  const products = await findBySku(
    db,
    DEMO_REVIEWS.map(({ sku }) => sku),
  )
  return DEMO_REVIEWS.map(({ sku, email, rating, title = null, body = null, age_hours }) => {
    const written = now - age_hours * hourMs
    return {
      product_id: products.get(sku)?.id as number,
      user_id: users.get(accountKey(email)) as number,
      author: personOf(email).name,
      rating,
      title,
      body,
      verified_purchase: 1,
      created_at: written,
      updated_at: written,
    }
  })
}
