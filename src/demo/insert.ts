import { addPaths } from '#shop/catalogue/categories/paths.ts'
import { type ImageSummary, summarizeImages } from '#shop/catalogue/images/rules.ts'
import type { ProductState } from '#shop/catalogue/products/rules.ts'
import { discounts } from '#shop/checkout/discounts/discounts.ts'
import type { Db } from '#store/database.ts'
import { reserveIds } from '#store/query/reserve-ids.ts'
import { accountKey } from '#values/account-key.ts'
import { dayMs, hourMs, type Instant } from '#values/instant.ts'
import {
  DEMO_CATEGORIES,
  DEMO_ORDERS,
  DEMO_PEOPLE,
  DEMO_PRODUCTS,
  DEMO_REVIEWS,
  personOf,
} from './data.ts'
import { insertOrders } from './insert-orders.ts'
import { insertVariants } from './insert-variants.ts'
import { demoFile } from './pictures.ts'
import { cancelledAt, type DemoShop, placedAt, productRow, userRow } from './rows.ts'
import {
  findByEmailKey,
  findBySku,
  insertProducts,
  insertRows,
  insertUsers,
  type NewRow,
} from './store.ts'

// The oldest order is a year old.
const openedBeforeMs = 400 * dayMs

/**
 * Inserts the demo shop: products, customers without passwords, their past orders, payments and
 * reviews, and a discount. The caller owns the transaction.
 */
export async function insertDemo(db: Db, shop: DemoShop, now: Instant): Promise<void> {
  const opened = now - openedBeforeMs
  const people = DEMO_PEOPLE.map((person, index) => userRow(person, opened + index * hourMs))
  await insertUsers(db, people)
  const ids = await reserveIds(db, 'products', DEMO_PRODUCTS.length)
  const images = await insertPictures(db, ids, opened)
  const products = DEMO_PRODUCTS.map((product, index) => {
    const created = opened + index * hourMs
    const id = ids[index] as number
    const image = images[index]
    return {
      id,
      ...productRow(product, shop, created),
      ...changesOf(product, created, now),
      images: image ? summarizeImages([image]) : null,
    }
  })
  await addPaths(db, DEMO_CATEGORIES, now)
  await insertProducts(db, products, now)
  await insertVariants(db, shop, opened)
  await insertOrders(db, DEMO_ORDERS, shop, now)
  await insertRows(db, 'reviews', await reviewRows(db, now))
  await discounts.create(db, demoDiscount, opened)
}

/**
 * Inserts an image of each product, which shows its category, and the files of these; returns the
 * images.
 */
async function insertPictures(
  db: Db,
  productIds: readonly number[],
  now: Instant,
): Promise<readonly ImageSummary[]> {
  const categories = [...new Set(DEMO_PRODUCTS.map(({ category }) => category ?? ''))]
  const fileIds = await reserveIds(db, 'files', categories.length)
  const files = categories.map((category, index) => ({
    id: fileIds[index] ?? 0,
    ...demoFile(category),
    created_at: now,
  }))
  await insertRows(db, 'files', files)
  const imageIds = await reserveIds(db, 'product_images', DEMO_PRODUCTS.length)
  const images = DEMO_PRODUCTS.flatMap(({ name, category }, index) => {
    const file = files[categories.indexOf(category ?? '')]
    if (!file) return []
    const { id: file_id, hash, width, height } = file
    const ids = { id: imageIds[index] ?? 0, product_id: productIds[index] ?? 0, file_id }
    return [{ ...ids, hash, width, height, alt: name, position: 1 }]
  })
  const rows = images.map(({ id, product_id, file_id, alt, position }) => ({
    id,
    product_id,
    file_id,
    alt,
    position,
    created_at: now,
    updated_at: now,
  }))
  await insertRows(db, 'product_images', rows)
  return images
}

/** The discount of the demo shop, which every buyer may use once. */
const demoDiscount = {
  code: 'WELCOME',
  kind: 'percent',
  value: '10',
  usage_limit_per_user: 1,
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
