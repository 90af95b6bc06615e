import { type Kysely, sql } from 'kysely'
import type { Tables } from '#db/tables/tables.ts'
import { createIndex, dropIndex } from './table-builder.ts'

// What has been removed is in no list, and so in no index of one.
const only = sql`deleted_at is null`

const productSorts = ['name', 'price_minor', 'created_at', 'updated_at', 'rating_average'] as const
const userSorts = ['name', 'email', 'age', 'created_at', 'updated_at'] as const
const orderSorts = ['created_at', 'updated_at', 'total_minor'] as const

async function indexProducts(db: Kysely<Tables>): Promise<void> {
  const nullsFirst = 'rating_average'
  for (const column of ['category', 'availability', ...productSorts] as const) {
    await dropIndex(db, 'products', [column, 'id'])
    await createIndex(db, 'products', [column, 'id'], { only, nullsFirst })
  }
  for (const column of productSorts) {
    // Every order line changes updated_at, which one index has to follow already.
    if (column === 'updated_at') continue
    await createIndex(db, 'products', ['category', column, 'id'], { only, nullsFirst })
  }
}

async function indexUsers(db: Kysely<Tables>): Promise<void> {
  await dropIndex(db, 'users', ['role'])
  await dropIndex(db, 'users', ['status'])
  for (const column of userSorts) {
    const mayBeNull = column === 'email' || column === 'age'
    if (!mayBeNull) await dropIndex(db, 'users', [column, 'id'])
    const options = mayBeNull ? { only, nullsFirst: column } : { only }
    await createIndex(db, 'users', [column, 'id'], options)
    await createIndex(db, 'users', ['role', column, 'id'], options)
    await createIndex(db, 'users', ['status', column, 'id'], options)
  }
  await createIndex(db, 'users', ['role', 'id'], { only })
  await createIndex(db, 'users', ['status', 'id'], { only })
}

async function indexOrders(db: Kysely<Tables>): Promise<void> {
  for (const column of ['status', ...orderSorts] as const) {
    await dropIndex(db, 'orders', [column, 'id'])
    await createIndex(db, 'orders', [column, 'id'], { only })
  }
  for (const column of orderSorts) {
    await createIndex(db, 'orders', ['status', column, 'id'], { only })
  }
  // A parameter is compared with the word of a partial index whenever it is bound, and SQLite
  // prepares the statement anew for it: so no index is for some values of a column one asks for.
  await dropIndex(db, 'orders', ['expires_at'])
  await createIndex(db, 'orders', ['expires_at'], { only: sql`expires_at is not null` })
  // No query asks for the orders of a product by this: purchases tell who bought it.
  await dropIndex(db, 'order_items', ['product_id'])
}

async function indexPurchasesAndReviews(db: Kysely<Tables>): Promise<void> {
  // Both columns are asked for together, or the products of a user.
  await dropIndex(db, 'purchases', ['product_id', 'user_id'])
  await createIndex(db, 'purchases', ['user_id', 'product_id'])
  await createIndex(db, 'purchases', ['product_id', 'id'])
  await createIndex(db, 'reviews', ['product_id', 'rating', 'id'])
  await createIndex(db, 'reviews', ['product_id', 'created_at', 'id'])
}

/** Gives every list an index to begin from, in each of its orders. */
export async function createListIndexes(db: Kysely<Tables>): Promise<void> {
  await indexProducts(db)
  await indexUsers(db)
  await indexOrders(db)
  await indexPurchasesAndReviews(db)
}
