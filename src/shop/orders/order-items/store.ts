import type { PricedLine } from '#shop/checkout/pricing/price.ts'
import type { LineSnapshot } from '#shop/orders/orders/rules.ts'
import type { Db } from '#store/database.ts'
import { asBigint, dialectOf, idIn, rowsFromJson } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { type PreparedWrite, prepareQuery } from '#store/query/prepared.ts'
import { isUnchanged } from '#store/unchanged.ts'
import type { Instant } from '#values/instant.ts'
import type { OrderItemRow } from './table.ts'

/** A line of an order with its share of the discount and its tax. */
export type NewItem = Omit<LineSnapshot, 'variant_of'> & PricedLine

const lineFields = {
  product_id: 'integer',
  quantity: 'integer',
  name: 'text',
  unit_price: 'integer',
  line_total: 'integer',
  sku: 'text',
  options: 'text',
  category: 'text',
  discount: 'integer',
  tax_rate: 'integer',
  tax: 'integer',
} as const

const insertLines = prepareQuery(
  (db: Db, param: { orderId: number; lines: readonly NewItem[]; now: Instant }) =>
    db
      .insertInto('order_items')
      .columns([
        'order_id',
        'product_id',
        'quantity',
        'name',
        'unit_price',
        'line_total',
        'sku',
        'options',
        'category',
        'discount',
        'tax_rate',
        'tax',
        'created_at',
      ])
      .expression((eb) =>
        eb
          .selectFrom(rowsFromJson(db, param.lines, lineFields).as('line'))
          .select([
            asBigint(param.orderId).as('order_id'),
            'line.product_id',
            'line.quantity',
            'line.name',
            'line.unit_price',
            'line.line_total',
            'line.sku',
            'line.options',
            'line.category',
            'line.discount',
            'line.tax_rate',
            'line.tax',
            asBigint(param.now).as('created_at'),
          ]),
      ),
)

const insertLine = prepareQuery((db: Db, param: NewItem & { orderId: number; now: Instant }) =>
  db.insertInto('order_items').values({
    order_id: param.orderId,
    product_id: param.product_id,
    quantity: param.quantity,
    name: param.name,
    unit_price: param.unit_price,
    line_total: param.line_total,
    sku: param.sku,
    options: param.options,
    category: param.category,
    discount: param.discount,
    tax_rate: param.tax_rate,
    tax: param.tax,
    created_at: param.now,
  }),
)

/**
 * Returns the statements that insert the items of an order: one on PostgreSQL, one per item on
 * SQLite, where a statement costs no round trip.
 */
export const insertItemsStatement = (
  db: Db,
  orderId: number,
  lines: readonly NewItem[],
  now: Instant,
): readonly PreparedWrite[] =>
  dialectOf(db) === 'postgres'
    ? [insertLines.write({ orderId, lines, now })]
    : lines.map((line) => insertLine.write({ ...line, orderId, now }))

const linesOf = prepareQuery((db: Db, param: { orderId: number }) =>
  db
    .selectFrom('order_items')
    .innerJoin('products', 'products.id', 'order_items.product_id')
    .selectAll('order_items')
    .select('products.variant_of')
    .where('order_id', '=', param.orderId)
    .orderBy('order_items.id'),
)

/** An item, and the parent of its product where this is a variant. */
type StoredLine = OrderItemRow & { readonly variant_of: number | null }

/** Returns the items of an order. */
export const findLines = (db: Db, orderId: number): Promise<StoredLine[]> =>
  linesOf.all(db, { orderId })

const setPrice = prepareQuery((db: Db, param: PricedLine & { readonly id: number }) =>
  db
    .updateTable('order_items')
    .set({
      discount: param.discount,
      tax_rate: param.tax_rate,
      tax: param.tax,
    })
    .where('id', '=', param.id),
)

/** Returns the statements that store the discount and tax of items, where these have changed. */
export const priceItemsStatements = (
  items: readonly OrderItemRow[],
  lines: readonly PricedLine[],
): readonly PreparedWrite[] =>
  items.flatMap((item, at) => {
    const { discount, tax_rate, tax } = lines[at] ?? item
    const price = { discount, tax_rate, tax }
    return isUnchanged(item, price) ? [] : [setPrice.write({ id: item.id, ...price })]
  })

const deleteLines = prepareQuery((db: Db, param: { orderId: number }) =>
  db.deleteFrom('order_items').where('order_id', '=', param.orderId),
)

/** Deletes the items of an order. Returns how many. */
export const deleteItems = (db: Db, orderId: number): Promise<number> =>
  deleteLines.run(db, { orderId })

/** An item, its buyer, and when its product was removed. */
export type OwnedItem = OrderItemRow & {
  readonly user_id: number | null
  /** When the order last changed. */
  readonly order_updated_at: Instant
  readonly product_deleted_at: Instant | null
}

const ownership = [
  'orders.user_id',
  'orders.updated_at as order_updated_at',
  'products.deleted_at as product_deleted_at',
] as const

const withOwner = (db: Db) =>
  db
    .selectFrom('order_items')
    .innerJoin('orders', 'orders.id', 'order_items.order_id')
    .innerJoin('products', 'products.id', 'order_items.product_id')

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
    withOwner(db).where('order_items.order_id', '=', orderId),
    {
      id: 'order_items.id',
      name: 'order_items.name',
      quantity: 'order_items.quantity',
      created_at: 'order_items.created_at',
      // An item is never changed.
      updated_at: 'order_items.created_at',
    },
    page,
    (items) => items.selectAll('order_items').select(ownership),
    { isFew: true },
  )

const itemsOfAll = prepareQuery((db: Db, param: { ids: readonly number[] }) =>
  withOwner(db)
    .selectAll('order_items')
    .select(ownership)
    .where(idIn(db, 'order_items.order_id', param.ids))
    .orderBy('order_items.id'),
)

/** Loads the items of several orders in one query. */
export async function loadItemsOf<O extends { readonly id: number }>(
  db: Db,
  orders: readonly O[],
): Promise<ReadonlyMap<O, readonly OwnedItem[]>> {
  const items = await itemsOfAll.all(db, { ids: orders.map(({ id }) => id) })
  const byOrder = Map.groupBy(items, ({ order_id }) => order_id)
  return new Map(orders.map((order) => [order, byOrder.get(order.id) ?? []]))
}

const newestOfAll = prepareQuery((db: Db, param: { ids: readonly number[]; maxRows: number }) =>
  db
    .selectFrom('order_items')
    .selectAll()
    .where(idIn(db, 'order_items.order_id', param.ids))
    .orderBy('order_id', 'desc')
    .orderBy('id')
    .limit(param.maxRows),
)

/** The items of several orders, up to `maxRows`, those of the newest order first. */
export const findItemsForExport = (
  db: Db,
  ids: readonly number[],
  maxRows: number,
): Promise<OrderItemRow[]> => newestOfAll.all(db, { ids, maxRows })
