import { sql } from 'kysely'
import { nullable } from '#schema/words.ts'
import type { ProductVisibility } from '#shop/catalogue/products/visibility.ts'
import type { PricedLine } from '#shop/checkout/pricing/price.ts'
import type { LineSnapshot } from '#shop/orders/orders/rules.ts'
import { integer } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { idIn } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { type PreparedWrite, prepareQuery, prepareSql } from '#store/query/prepared.ts'
import { isUnchanged } from '#store/unchanged.ts'
import type { Instant } from '#values/instant.ts'
import { type OrderItemRow, orderItems } from './table.ts'

/** A line of an order with its share of the discount and its tax. */
export type NewItem = Omit<LineSnapshot, 'variant_of'> & PricedLine

/** Returns the statements that insert the items of an order, which is paid if it `isFree`. */
export const insertItemsStatements = (
  db: Db,
  { id: order_id, isFree }: { readonly id: number; readonly isFree: boolean },
  lines: readonly NewItem[],
  now: Instant,
): readonly PreparedWrite[] =>
  orderItems.insertWrites(
    db,
    // One literal: rows that are put together of parts take several times as long.
    lines.map((line) => ({
      order_id,
      product_id: line.product_id,
      quantity: line.quantity,
      name: line.name,
      name_sort: line.name_sort,
      sku: line.sku,
      options: line.options,
      category: line.category,
      unit_price: line.unit_price,
      line_total: line.line_total,
      discount: line.discount,
      tax_rate: line.tax_rate,
      tax: line.tax,
      created_at: now,
      requires_shipping: line.requires_shipping,
      tax_class: line.tax_class,
      taken: line.taken,
      unpaid: isFree || line.taken === 0 ? null : line.taken,
    })),
  )

/** Returns the statement that notes that the items of these orders are no longer unpaid. */
export const settleItemsStatement = (orderIds: readonly number[]): PreparedWrite =>
  orderItems.updateWrite({ order_id: orderIds }, { unpaid: null })

const linesOf = prepareSql(
  (_: Db, { orderId }: { orderId: number }) => sql`
    select order_items.*, products.variant_of
    from order_items join products on products.id = order_items.product_id
    where order_id = ${orderId} order by order_items.id`,
  { ...orderItems.schemas, product_id: integer, variant_of: nullable(integer) },
)

/** Returns the items of an order that are products here, each with the parent of its product where this is a variant. */
export const findLines = (db: Db, orderId: number) => linesOf.all(db, { orderId })

/** Returns the statements that store the discount and tax of items, where these have changed. */
export const priceItemsStatements = (
  items: readonly OrderItemRow[],
  lines: readonly PricedLine[],
): readonly PreparedWrite[] =>
  items.flatMap((item, at) => {
    const { discount, tax_rate, tax } = lines[at] ?? item
    const price = { discount, tax_rate, tax }
    return isUnchanged(item, price) ? [] : [orderItems.updateWrite({ id: item.id }, price)]
  })

/** An item, its buyer, and its product: whether it is seen, and when it was removed; null without one. */
export type OwnedItem = OrderItemRow & {
  readonly [K in keyof ProductVisibility]: ProductVisibility[K] | null
} & {
  readonly user_id: number | null
  /** When the order last changed. */
  readonly order_updated_at: Instant
  readonly product_deleted_at: Instant | null
  readonly product_updated_at: Instant | null
}

const ownership = [
  'orders.user_id',
  'orders.updated_at as order_updated_at',
  'products.deleted_at as product_deleted_at',
  'products.updated_at as product_updated_at',
  'products.status',
  'products.parent_status',
] as const

const withOwner = (db: Db) =>
  db
    .selectFrom('order_items')
    .innerJoin('orders', 'orders.id', 'order_items.order_id')
    .leftJoin('products', 'products.id', 'order_items.product_id')

const itemById = prepareQuery((db: Db, param: { orderId: number; itemId: number }) =>
  withOwner(db)
    .selectAll('order_items')
    .select(ownership)
    .where('order_items.id', '=', param.itemId)
    .where('order_items.order_id', '=', param.orderId),
)

/** Finds an item of an order by ID. */
export const findItem = (db: Db, orderId: number, itemId: number): Promise<OwnedItem | undefined> =>
  itemById.first(db, { orderId, itemId })

/** Returns a page of the items of an order. */
export const listItems = (
  db: Db,
  orderId: number,
  page: PageRequest,
): Promise<PageResult<OwnedItem>> =>
  paginate(
    db,
    withOwner(db).where('order_items.order_id', '=', orderId),
    {
      id: 'order_items.id',
      name: 'order_items.name_sort',
      quantity: 'order_items.quantity',
      created_at: 'order_items.created_at',
      // An item is never changed.
      updated_at: 'order_items.created_at',
    },
    page,
    (items) => items.selectAll('order_items').select(ownership),
    { isFew: true },
  )

interface RowsOfOrders {
  readonly ids: readonly number[]
  readonly maxRows: number
}

const itemsOfAll = prepareQuery((db: Db, param: RowsOfOrders) =>
  withOwner(db)
    .selectAll('order_items')
    .select(ownership)
    .where(idIn(db, 'order_items.order_id', param.ids))
    // By the index of orders: by ID alone, PostgreSQL would walk the whole table up to the limit.
    .orderBy('order_items.order_id')
    .orderBy('order_items.id')
    .limit(param.maxRows),
)

/** Loads the items of several orders in one query, at most `maxRows`. */
export async function loadItemsOf<O extends { readonly id: number }>(
  db: Db,
  orders: readonly O[],
  maxRows: number,
): Promise<ReadonlyMap<O, readonly OwnedItem[]>> {
  const items = await itemsOfAll.all(db, { ids: orders.map(({ id }) => id), maxRows })
  const byOrder = Map.groupBy(items, ({ order_id }) => order_id)
  return new Map(orders.map((order) => [order, byOrder.get(order.id) ?? []]))
}

const newestOfAll = prepareSql(
  (db: Db, { ids, maxRows }: { ids: readonly number[]; maxRows: number }) => sql`
    select * from order_items where ${idIn(db, 'order_items.order_id', ids)}
    order by order_id desc, id limit ${maxRows}`,
  orderItems.schemas,
)

/** The items of several orders, up to `maxRows`, those of the newest order first. */
export const findItemsForExport = (
  db: Db,
  ids: readonly number[],
  maxRows: number,
): Promise<OrderItemRow[]> => newestOfAll.all(db, { ids, maxRows })
