import type { Db } from '#db/database.ts'
import { freeze, type ProductSnapshot } from '#resources/orders/rules.ts'
import { dayMs, hourMs, type Instant } from '#values/instant.ts'
import { DEMO_PRODUCTS } from './catalogue.ts'
import { type DemoHistory, demoHistory } from './history.ts'
import { type FoundOrder, insertOrders } from './insert-orders.ts'
import { type DemoShop, productRow, userRow } from './new-rows.ts'
import { DEMO_PEOPLE } from './people.ts'
import { withTraces } from './product-traces.ts'
import { indexProducts, insertRows, type NewRow, reserveIds } from './store.ts'

type Stocked = NewRow<'products'> & ProductSnapshot

/** Whom the demo shop serves with what; the history counts both from 0. */
interface Opening {
  readonly now: Instant
  readonly history: DemoHistory
  readonly userIds: readonly number[]
  readonly products: readonly Stocked[]
}

// The oldest order is a year old.
const openedBeforeMs = 400 * dayMs

/**
 * Fills a database with the demo shop: products, customers who have no password, and what these
 * ordered, paid and reviewed until now, all as if the server had written it. The transaction is
 * the caller's.
 */
export async function insertDemo(db: Db, shop: DemoShop, now: Instant): Promise<void> {
  const history = demoHistory(DEMO_PRODUCTS, DEMO_PEOPLE)
  const opened = now - openedBeforeMs
  const userIds = await reserveIds(db, 'users', DEMO_PEOPLE.length)
  const people = DEMO_PEOPLE.map((person, index) => ({
    id: userIds[index] as number,
    ...userRow(person, opened + index * hourMs),
  }))
  const products = await stockShelves(db, shop, opened)
  const opening = { now, history, userIds, products }
  await insertRows(db, 'users', people)
  await insertRows(db, 'products', withTraces(products, history, now))
  await indexProducts(db, products)
  await insertOrders(db, findOrders(opening), shop, now)
  await insertRows(db, 'reviews', reviewRows(opening))
}

async function stockShelves(db: Db, shop: DemoShop, opened: Instant): Promise<readonly Stocked[]> {
  const ids = await reserveIds(db, 'products', DEMO_PRODUCTS.length)
  return DEMO_PRODUCTS.map((product, index) => ({
    ...productRow(product, shop, opened + index * hourMs),
    id: ids[index] as number,
    stock: product.stock,
    deleted_at: null,
  }))
}

function findOrders({ history, userIds, products }: Opening): readonly FoundOrder[] {
  const productSnapshots = new Map(products.map((product) => [product.id, product]))
  return history.orders.map((order) => {
    const wanted = order.items.map(({ product_index, quantity }) => ({
      product_id: products[product_index]?.id as number,
      quantity,
    }))
    return {
      order,
      userId: userIds[order.user_index] as number,
      lines: freeze(wanted, productSnapshots),
    }
  })
}

const reviewRows = ({ now, history, userIds, products }: Opening): NewRow<'reviews'>[] =>
  history.reviews.map(({ user_index, product_index, rating, title, body, age_hours }) => {
    const written = now - age_hours * hourMs
    return {
      product_id: products[product_index]?.id as number,
      user_id: userIds[user_index] as number,
      author: DEMO_PEOPLE[user_index]?.name ?? null,
      rating,
      title,
      body,
      verified_purchase: 1,
      created_at: written,
      updated_at: written,
    }
  })
