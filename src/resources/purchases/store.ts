import type { ExpressionBuilder } from 'kysely'
import type { Db } from '#store/database.ts'
import { type PageRequest, type PageResult, paginate } from '#store/page.ts'
import { prepared } from '#store/prepared.ts'
import type { Tables } from '#store/tables.ts'
import type { Instant } from '#values/instant.ts'
import type { PurchaseFilters } from './schema.ts'
import type { PurchaseRow } from './table.ts'

/** A purchase, and since when its product is no longer in the catalogue. */
export type ToldPurchase = PurchaseRow & { readonly product_deleted_at: Instant | null }

const deletionOf = (eb: ExpressionBuilder<Tables, 'purchases'>) =>
  eb
    .selectFrom('products')
    .select('products.deleted_at')
    .whereRef('products.id', '=', 'purchases.product_id')
    .as('product_deleted_at')

const byId = prepared((db: Db, param: { id: number }) =>
  db.selectFrom('purchases').selectAll().select(deletionOf).where('id', '=', param.id),
)

/** The purchase with this identifier. */
export const findPurchase = (db: Db, id: number): Promise<ToldPurchase | undefined> =>
  byId.first(db, { id })

/** One page of the purchases that pass every filter. */
export function listPurchases(
  db: Db,
  { user_id, product_id, order_id }: PurchaseFilters,
  page: PageRequest,
): Promise<PageResult<ToldPurchase>> {
  let query = db.selectFrom('purchases')
  if (user_id !== undefined) query = query.where('user_id', '=', user_id)
  if (product_id !== undefined) query = query.where('product_id', '=', product_id)
  if (order_id !== undefined) query = query.where('order_id', '=', order_id)
  const columns = { id: 'id', purchased_at: 'purchased_at' } as const
  return paginate(query, columns, page, (rows) => rows.selectAll('purchases').select(deletionOf))
}

interface PaidOrder {
  readonly id: number
  readonly user_id: number | null
}

const recordLines = prepared((db: Db, { id, user_id, now }: PaidOrder & { now: Instant }) =>
  db
    .insertInto('purchases')
    .columns([
      'user_id',
      'product_id',
      'order_id',
      'order_item_id',
      'quantity',
      'unit_price_minor',
      'purchased_at',
    ])
    .expression((eb) =>
      eb
        .selectFrom('order_items')
        .select((line) => [
          line.cast<number | null>(line.val(user_id), 'bigint').as('user_id'),
          'product_id',
          'order_id',
          'id',
          'quantity',
          'unit_price_minor',
          line.cast<number>(line.val(now), 'bigint').as('purchased_at'),
        ])
        .where('order_id', '=', id),
    )
    .onConflict((conflict) => conflict.column('order_item_id').doNothing()),
)

/** Records what was bought with an order, in one statement; a second time changes nothing. */
export const recordPurchases = (
  db: Db,
  { id, user_id }: PaidOrder,
  now: Instant,
): Promise<number> => recordLines.run(db, { id, user_id, now })

const withdrawLines = prepared((db: Db, param: { orderId: number }) =>
  db.deleteFrom('purchases').where('order_id', '=', param.orderId),
)

/** Forgets what was bought with an order whose money went back, in one statement. */
export const withdrawPurchases = (db: Db, orderId: number): Promise<number> =>
  withdrawLines.run(db, { orderId })
