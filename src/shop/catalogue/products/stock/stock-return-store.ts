import { type Expression, type SqlBool, sql } from 'kysely'
import type { StockChange } from '#shop/catalogue/products/events.ts'
import type { ProductInEvent } from '#shop/catalogue/products/rules.ts'
import type { Db } from '#store/database.ts'
import { dialectOf, idIn, idInQuery, rowsFromJson } from '#store/query/dialect.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import { sumQuantities } from '#values/quantities.ts'
import { invalidateStock, lockedProductIds, productColumns } from './stock-store.ts'

/** The columns of a product that change when units are returned. */
const returnedColumns = (quantity: Expression<number>, now: Instant) => ({
  stock: sql<number>`stock + ${quantity}`,
  availability: sql<
    ProductInEvent['availability']
  >`case when availability = 'out_of_stock' then 'in_stock' else availability end`,
  revision: sql<number>`revision + 1`,
  updated_at: now,
})

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
      .set((eb) => returnedColumns(eb.ref('line.returned'), param.now))
      .whereRef('products.id', '=', 'line.product_id')
      .where('products.stock', 'is not', null)
      .$if(dialectOf(db) === 'postgres', (update) => update.where(isOfOrders(db, param.orderIds)))
      .returning(productColumns)
      .returning((eb) =>
        eb
          .selectFrom('order_items')
          .select((items) => items.fn.sum<number>('quantity').as('returned'))
          .whereRef('order_items.product_id', '=', 'products.id')
          .where(idIn(db, 'order_items.order_id', param.orderIds))
          .$asScalar()
          .$notNull()
          .as('returned'),
      ),
)

/** A condition that a product is in one of the orders, with the products locked by ID. */
function isOfOrders(db: Db, orderIds: readonly number[]): Expression<SqlBool> {
  const items = db
    .selectFrom('order_items')
    .select('product_id')
    .where(idIn(db, 'order_items.order_id', orderIds))
  return idInQuery(db, 'products.id', lockedProductIds(db, idInQuery(db, 'held.id', items)))
}

/** Returns the units of these orders to the stock, where it is counted, and the changes. */
export async function returnStock(
  db: Db,
  orderIds: readonly number[],
  now: Instant,
): Promise<readonly StockChange[]> {
  const returned = await returnStockStatement.all(db, { orderIds, now })
  invalidateStock(returned)
  return returned.map(({ returned: quantity, ...after }) => changeByReturn(after, quantity))
}

/** The change of a product whose stock has grown by a quantity. */
function changeByReturn(after: ProductInEvent, quantity: number): StockChange {
  const stock = (after.stock ?? 0) - quantity
  const wasOut = stock === 0 && after.availability === 'in_stock'
  return {
    before: { ...after, stock, ...(wasOut ? { availability: 'out_of_stock' } : {}) },
    after,
  }
}

/** The quantity to put back to the stock of a product. */
interface ReturnedQuantity {
  readonly product_id: number
  readonly quantity: number
}

const restockStatement = prepareQuery(
  (
    db: Db,
    param: {
      readonly lines: readonly ReturnedQuantity[]
      readonly ids: readonly number[]
      readonly now: Instant
    },
  ) =>
    db
      .updateTable('products')
      .from(
        rowsFromJson(db, param.lines, { product_id: 'integer', quantity: 'integer' }).as('line'),
      )
      .set((eb) => returnedColumns(eb.ref('line.quantity'), param.now))
      .whereRef('products.id', '=', 'line.product_id')
      .where('products.stock', 'is not', null)
      .$if(dialectOf(db) === 'postgres', (update) =>
        update.where(
          idInQuery(db, 'products.id', lockedProductIds(db, idIn(db, 'held.id', param.ids))),
        ),
      )
      .returning(productColumns),
)

/** Adds quantities back to the stock of products, where it is counted. Returns the changes. */
export async function restockProducts(
  db: Db,
  lines: readonly ReturnedQuantity[],
  now: Instant,
): Promise<readonly StockChange[]> {
  if (lines.length === 0) return []
  const quantities = sumQuantities(lines, ({ product_id }) => product_id)
  const ids = [...quantities.keys()]
  const merged = [...quantities].map(([product_id, quantity]) => ({ product_id, quantity }))
  const returned = await restockStatement.all(db, { lines: merged, ids, now })
  invalidateStock(returned)
  return returned.map((after) => changeByReturn(after, quantities.get(after.id) ?? 0))
}
