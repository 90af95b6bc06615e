import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { invalidate } from '#db/changes.ts'
import type { Db } from '#db/database.ts'
import {
  dialectOf,
  idIn,
  idInQuery,
  nextId,
  rowsFromJson,
  withoutIndex,
} from '#db/query/dialect.ts'
import { type PreparedWrite, prepareQuery } from '#db/query/prepared.ts'
import type { Tables } from '#db/tables/tables.ts'
import type { ProductSnapshot } from '#resources/orders/rules.ts'
import type { Instant } from '#values/instant.ts'
import { productCacheTag, stockAndRatingCacheTag } from './rules.ts'

const productColumns = [
  'products.id',
  'products.name',
  'products.price_minor',
  'products.availability',
  'products.stock',
  'products.deleted_at',
] as const satisfies readonly `products.${keyof ProductSnapshot}`[]

const byId = prepareQuery((db: Db, param: { id: number }) =>
  db.selectFrom('products').select(productColumns).where('id', '=', param.id),
)

const byIds = prepareQuery((db: Db, param: { ids: readonly number[] }) =>
  db
    .selectFrom('products')
    .select(productColumns)
    .where(idIn(db, 'products.id', param.ids)),
)

const byIdsForOrder = prepareQuery((db: Db, param: { ids: readonly number[] }) =>
  db
    .selectFrom('products')
    .select(productColumns)
    .select(nextId(db, 'orders').as('next_order_id'))
    .where(idIn(db, 'products.id', param.ids)),
)

const nextOrderId = prepareQuery((db: Db, _: object) =>
  db.selectNoFrom(nextId(db, 'orders').as('next_order_id')),
)

/**
 * Returns the products with these IDs, even if removed, and the ID of the next order; on PostgreSQL
 * in one query, and with order ID 0 when there is none of the products.
 */
export async function findProductsToOrder(
  db: Db,
  ids: readonly number[],
): Promise<{
  readonly productSnapshots: ReadonlyMap<number, ProductSnapshot>
  readonly orderId: number
}> {
  if (dialectOf(db) === 'sqlite') {
    const next = await nextOrderId.first(db, {})
    return {
      productSnapshots: await findProductSnapshots(db, ids),
      orderId: next?.next_order_id ?? 0,
    }
  }
  const found = await byIdsForOrder.all(db, { ids })
  return { productSnapshots: indexById(found), orderId: found[0]?.next_order_id ?? 0 }
}

/** Returns the products with these IDs, even if removed; on PostgreSQL in one query. */
export async function findProductSnapshots(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ProductSnapshot>> {
  if (dialectOf(db) === 'postgres') return indexById(await byIds.all(db, { ids }))
  const found: ProductSnapshot[] = []
  for (const id of ids) found.push(...(await byId.all(db, { id })))
  return indexById(found)
}

const indexById = (
  productSnapshots: readonly ProductSnapshot[],
): ReadonlyMap<number, ProductSnapshot> =>
  new Map(productSnapshots.map((productSnapshot) => [productSnapshot.id, productSnapshot]))

interface Line {
  readonly product_id: number
  readonly quantity: number
}

/** Units to take of a product; `stock` is its stock when it was read. */
interface RequestedLine extends Line {
  readonly stock: number
}

const lineFields = { product_id: 'integer', quantity: 'integer' } as const

/** The condition that a product can be bought, apart from its stock. */
const isOnSale = (eb: ExpressionBuilder<Tables, 'products'>) =>
  eb.and([
    // Written so that no database searches by an index on either column.
    eb(withoutIndex('products.deleted_at'), 'is', null),
    eb('products.availability', '!=', sql.lit('out_of_stock')),
    eb('products.availability', '!=', sql.lit('discontinued')),
  ])

/** Locks products in the order of their IDs, which keeps concurrent transactions from a deadlock. */
const lockedAmong = (db: Db, ids: Expression<SqlBool>) =>
  db
    .selectFrom('products as held')
    .select('held.id')
    .where(ids)
    .orderBy('held.id')
    .forNoKeyUpdate('held')

interface LinesToTake {
  readonly lines: readonly Line[]
  /** The product IDs of the lines. */
  readonly ids: readonly number[]
  readonly now: Instant
}

const takeStockOfLines = prepareQuery((db: Db, param: LinesToTake) =>
  db
    .updateTable('products')
    .from(rowsFromJson(db, param.lines, lineFields).as('line'))
    .set((eb) => ({
      stock: eb('stock', '-', eb.ref('line.quantity')),
      availability: sql`case when availability = 'in_stock' and stock = line.quantity
        then 'out_of_stock' else availability end`,
      revision: eb('revision', '+', eb.lit(1)),
      updated_at: param.now,
    }))
    .where(idInQuery(db, 'products.id', lockedAmong(db, idIn(db, 'held.id', param.ids))))
    .whereRef('products.id', '=', 'line.product_id')
    .whereRef('products.stock', '>=', 'line.quantity')
    .where(isOnSale)
    .returning('products.id'),
)

interface StockChange {
  readonly id: number
  readonly quantity: number
  readonly now: Instant
}

const takeStockOf = (db: Db, { id, quantity, now }: StockChange) =>
  db
    .updateTable('products')
    .set((eb) => ({
      stock: eb('stock', '-', quantity),
      revision: eb('revision', '+', eb.lit(1)),
      updated_at: now,
    }))
    .where('id', '=', id)
    .where('stock', '>=', quantity)
    .where(isOnSale)

const takePart = prepareQuery((db: Db, param: StockChange) => takeStockOf(db, param))

const takeLast = prepareQuery((db: Db, param: StockChange) =>
  takeStockOf(db, param).set({
    availability: sql`case when availability = 'in_stock' then 'out_of_stock' else availability end`,
  }),
)

/**
 * Returns the statements that take counted stock, of all lines or of none; no statements without
 * lines. SQLite has no round trips and takes one statement per line, which updates the indexed
 * availability only when the stock reaches 0: there, the stock cannot have changed since the read.
 */
export function takeStockStatement(
  db: Db,
  requestedLines: readonly RequestedLine[],
  now: Instant,
): readonly PreparedWrite[] {
  if (requestedLines.length === 0) return []
  const ids = requestedLines.map(({ product_id }) => product_id)
  invalidateCounted(ids.map((id) => ({ id })))
  if (dialectOf(db) === 'postgres') {
    return [takeStockOfLines.write({ lines: requestedLines, ids, now }, requestedLines.length)]
  }
  return requestedLines.map(({ product_id: id, quantity, stock }) =>
    (stock === quantity ? takeLast : takePart).write({ id, quantity, now }, 1),
  )
}

const returnStockStatement = prepareQuery(
  (db: Db, param: { orderIds: readonly number[]; now: Instant }) =>
    db
      .updateTable('products')
      .from((from) =>
        from
          .selectFrom('order_items')
          .select((eb) => ['product_id', eb.fn.sum<number>('quantity').as('returned')])
          .where(idIn(db, 'order_items.order_id', param.orderIds))
          .groupBy('product_id')
          .as('line'),
      )
      .set((eb) => ({
        stock: eb('stock', '+', eb.ref('line.returned')),
        availability: sql`case when availability = 'out_of_stock'
        then 'in_stock' else availability end`,
        revision: eb('revision', '+', eb.lit(1)),
        updated_at: param.now,
      }))
      .whereRef('products.id', '=', 'line.product_id')
      .where('products.stock', 'is not', null)
      .$if(dialectOf(db) === 'postgres', (update) => update.where(isOfOrders(db, param.orderIds)))
      .returning('products.id'),
)

/** A condition that a product is in one of the orders, with the products locked by ID. */
function isOfOrders(db: Db, orderIds: readonly number[]): Expression<SqlBool> {
  const items = db
    .selectFrom('order_items')
    .select('product_id')
    .where(idIn(db, 'order_items.order_id', orderIds))
  return idInQuery(db, 'products.id', lockedAmong(db, idInQuery(db, 'held.id', items)))
}

/** Returns the units of these orders to the stock, where it is counted. */
export async function returnStock(
  db: Db,
  orderIds: readonly number[],
  now: Instant,
): Promise<void> {
  invalidateCounted(await returnStockStatement.all(db, { orderIds, now }))
}

function invalidateCounted(products: readonly { readonly id: number }[]): void {
  if (products.length > 0)
    invalidate(...products.map(({ id }) => productCacheTag(id)), stockAndRatingCacheTag)
}
