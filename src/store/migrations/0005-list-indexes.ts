import { type Kysely, sql } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import { createIndex, dropIndex } from './table-builder.ts'

// No list has deleted rows, so the indexes of lists leave them out.
const where = sql`deleted_at is null`

const productSorts = ['name', 'price_minor', 'created_at', 'updated_at', 'rating_average'] as const
const userSorts = ['name', 'email', 'age', 'created_at', 'updated_at'] as const
const orderSorts = ['created_at', 'updated_at', 'total_minor'] as const

async function indexProducts(db: Kysely<Tables>): Promise<void> {
  const nullsFirst = 'rating_average'
  for (const column of ['category', 'availability', ...productSorts] as const) {
    await dropIndex(db, 'products', [column, 'id'])
    await createIndex(db, 'products', [column, 'id'], { where, nullsFirst })
  }
  for (const column of productSorts) {
    // Every order line changes updated_at, which is in one index already.
    if (column === 'updated_at') continue
    await createIndex(db, 'products', ['category', column, 'id'], { where, nullsFirst })
  }
}

async function indexUsers(db: Kysely<Tables>): Promise<void> {
  await dropIndex(db, 'users', ['role'])
  await dropIndex(db, 'users', ['status'])
  for (const column of userSorts) {
    const isNullable = column === 'email' || column === 'age'
    if (!isNullable) await dropIndex(db, 'users', [column, 'id'])
    const options = isNullable ? { where, nullsFirst: column } : { where }
    await createIndex(db, 'users', [column, 'id'], options)
    await createIndex(db, 'users', ['role', column, 'id'], options)
    await createIndex(db, 'users', ['status', column, 'id'], options)
  }
  await createIndex(db, 'users', ['role', 'id'], { where })
  await createIndex(db, 'users', ['status', 'id'], { where })
}

async function indexOrders(db: Kysely<Tables>): Promise<void> {
  for (const column of ['status', ...orderSorts] as const) {
    await dropIndex(db, 'orders', [column, 'id'])
    await createIndex(db, 'orders', [column, 'id'], { where })
  }
  for (const column of orderSorts) {
    await createIndex(db, 'orders', ['status', column, 'id'], { where })
  }
  // SQLite prepares a statement again when a parameter is bound that a partial index compares with a
  // constant, so no partial index depends on a value of a column that queries compare.
  await dropIndex(db, 'orders', ['expires_at'])
  await createIndex(db, 'orders', ['expires_at'], { where: sql`expires_at is not null` })
  // No query selects order items by product: purchases record the buyers of a product.
  await dropIndex(db, 'order_items', ['product_id'])
}

async function indexPurchasesAndReviews(db: Kysely<Tables>): Promise<void> {
  // Queries select by both columns, or by user.
  await dropIndex(db, 'purchases', ['product_id', 'user_id'])
  await createIndex(db, 'purchases', ['user_id', 'product_id'])
  await createIndex(db, 'purchases', ['product_id', 'id'])
  await createIndex(db, 'reviews', ['product_id', 'rating', 'id'])
  await createIndex(db, 'reviews', ['product_id', 'created_at', 'id'])
}

/** Creates an index for each filter and sort of every list. */
export async function createListIndexes(db: Kysely<Tables>): Promise<void> {
  await indexProducts(db)
  await indexUsers(db)
  await indexOrders(db)
  await indexPurchasesAndReviews(db)
}
