import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { StockChange } from '#shop/catalogue/products/events.ts'
import {
  type ProductInEvent,
  presentedSchemas,
  productCacheTag,
  stockAndRatingCacheTag,
} from '#shop/catalogue/products/rules.ts'
import { availabilityBelow, unbuyableAvailabilities } from '#shop/catalogue/products/sellable.ts'
import type { ProductRow } from '#shop/catalogue/products/table.ts'
import { numbersAfter, orderNumber, prefixKey } from '#shop/order-number.ts'
import type { Shop } from '#shop/shop.ts'
import { invalidate } from '#store/changes.ts'
import type { Db } from '#store/database.ts'
import {
  dialectOf,
  idIn,
  idInQuery,
  isUnset,
  nextFreeId,
  rowsFromJson,
} from '#store/query/dialect.ts'
import { type PreparedWrite, prepareQuery, prepareSql } from '#store/query/prepared.ts'
import { writeBatch } from '#store/query/write-batch.ts'
import { accountKey } from '#values/account-key.ts'
import type { Instant } from '#values/instant.ts'

/** The columns of a product in events. */
const presentedColumns = Object.keys(presentedSchemas) as (keyof ProductInEvent)[]
export const productColumns = presentedColumns.map((name) => `products.${name}` as const)

/** The category that decides tax and discounts: a variant without one has that of its parent. */
export const effectiveCategory = sql<string | null>`coalesce(products.category,
  (select parent.category from products as parent where parent.id = products.variant_of))`

const effectiveTaxClass = sql<string | null>`coalesce(products.tax_class,
  (select parent.tax_class from products as parent where parent.id = products.variant_of))`

const orderedColumns = [
  ...productColumns,
  'products.name_sort',
  effectiveCategory.as('effective_category'),
  effectiveTaxClass.as('effective_tax_class'),
] as const

const byId = prepareQuery((db: Db, param: { id: number }) =>
  db.selectFrom('products').select(orderedColumns).where('id', '=', param.id),
)

const byIds = prepareQuery((db: Db, param: { ids: readonly number[] }) =>
  db
    .selectFrom('products')
    .select(orderedColumns)
    .where(idIn(db, 'products.id', param.ids)),
)

/** Who orders, and what the number of the order begins with, as a key. */
interface Ordering {
  readonly userId: number
  readonly numberPrefix: string
}

/** Whether an order has the number that belongs to an ID: one of another shop may have it. */
const isNumberTaken =
  ({ numberPrefix }: Ordering) =>
  (id: RawBuilder<number>) =>
    sql`exists (
  select 1 from orders where orders.number_key =
    cast(${numberPrefix} as text) || cast(${id} + ${sql.lit(numbersAfter)} as text))`

const orderOf = (db: Db, ordering: Ordering) => {
  const buyer = db.selectFrom('users').where('users.id', '=', ordering.userId)
  return [
    nextFreeId(db, 'orders', isNumberTaken(ordering)).as('next_order_id'),
    buyer.select('users.name').as('contact_name'),
    buyer.select('users.email').as('contact_email'),
    buyer.select('users.role').as('buyer_role'),
    buyer.select('users.deleted_at').as('buyer_removed_at'),
  ] as const
}

const byIdsForOrder = prepareQuery((db: Db, param: Ordering & { ids: readonly number[] }) =>
  db
    .selectFrom('products')
    .select(orderedColumns)
    .select(orderOf(db, param))
    .where(idIn(db, 'products.id', param.ids)),
)

const newOrder = prepareQuery((db: Db, param: Ordering) => db.selectNoFrom(orderOf(db, param)))

/** A product with the category and tax class that decide its tax and discount. */
export type ProductToOrder = ProductInEvent &
  Pick<ProductRow, 'name_sort'> & {
    readonly effective_category: string | null
    readonly effective_tax_class: string | null
  }

/** What a new order takes over: the products, its ID and number, and its buyer. */
export interface OrderOrigin {
  readonly productSnapshots: ReadonlyMap<number, ProductToOrder>
  readonly orderId: number
  readonly number: string
  readonly contact: {
    readonly contact_name: string | null
    readonly contact_email: string | null
    /** The unique form of the address of a guest; null for any other buyer. */
    readonly contact_key: string | null
  }
  /** Null for a buyer who has not been removed. */
  readonly buyerRemovedAt: Instant | null
}

/**
 * Returns the products with these IDs, even if removed, the ID of the next order, whose number is free, and its buyer; on
 * PostgreSQL in one query, and with order ID 0 when there is none of the products.
 */
export async function findProductsToOrder(
  db: Db,
  { userId, shop }: { readonly userId: number; readonly shop: Pick<Shop, 'orderPrefix'> },
  ids: readonly number[],
): Promise<OrderOrigin> {
  const ordering = { userId, numberPrefix: prefixKey(shop) }
  const found =
    dialectOf(db) === 'postgres' ? await byIdsForOrder.all(db, { ids, ...ordering }) : undefined
  const productSnapshots = found ? indexById(found) : await findProductSnapshots(db, ids)
  const order = found ? found[0] : await newOrder.first(db, ordering)
  const { contact_name = null, contact_email = null, next_order_id: orderId = 0 } = order ?? {}
  const buyerRemovedAt = order?.buyer_removed_at ?? null
  const isOfGuest = order?.buyer_role === 'guest' && contact_email !== null
  const contact_key = isOfGuest ? accountKey(contact_email) : null
  const contact = { contact_name, contact_email, contact_key }
  return {
    productSnapshots,
    orderId,
    number: orderNumber(shop, orderId),
    contact,
    buyerRemovedAt,
  }
}

/** The products that are read before other requests are served: each has up to 0.2 MB of texts. */
const readsPerTurn = 25

/** Returns the products with these IDs, even if removed; on PostgreSQL in one query. */
export async function findProductSnapshots(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ProductToOrder>> {
  if (dialectOf(db) === 'postgres') return indexById(await byIds.all(db, { ids }))
  const found: ProductToOrder[] = []
  for (const [at, id] of ids.entries()) {
    if (at > 0 && at % readsPerTurn === 0) await nextTurn()
    found.push(...(await byId.all(db, { id })))
  }
  return indexById(found)
}

const indexById = (
  productSnapshots: readonly ProductToOrder[],
): ReadonlyMap<number, ProductToOrder> =>
  new Map(productSnapshots.map((productSnapshot) => [productSnapshot.id, productSnapshot]))

const lineFields = {
  product_id: 'integer',
  quantity: 'integer',
  /** The revision of a product that this line sells out; null for any other. */
  sold_out_revision: 'integer',
} as const

interface Line {
  readonly product_id: number
  readonly quantity: number
  readonly sold_out_revision: number | null
}

/** Units to take of a product, as it was read. */
export interface StockLine {
  readonly product: ProductInEvent & { readonly stock: number }
  readonly quantity: number
}

/**
 * The condition that a product can be bought, apart from its stock, written so that no database searches
 * by an index on either column.
 */
const isOnSale = sql`${isUnset('products.deleted_at')} and products.status = 'active'
  and coalesce(products.parent_status, 'active') = 'active' and ${sql.join(
    unbuyableAvailabilities.map((word) => sql`products.availability <> ${sql.lit(word)}`),
    sql` and `,
  )}`

/** Locks products in the order of their IDs, which keeps concurrent transactions from a deadlock. */
const lockedProductIds = (db: Db, ids: Expression<SqlBool>) =>
  db
    .selectFrom('products as held')
    .select('held.id')
    .where(ids)
    .orderBy('held.id')
    .forNoKeyUpdate('held')

/**
 * A condition for the products of an update: on PostgreSQL, that they are those that `ids` finds as `held`
 * and locks; always true on SQLite, which has a single writer.
 */
export const isLocked = (db: Db, ids: Expression<SqlBool>) =>
  dialectOf(db) === 'sqlite' ? sql`true` : idInQuery(db, 'products.id', lockedProductIds(db, ids))

const lockByIds = prepareQuery((db: Db, param: { ids: readonly number[] }) =>
  lockedProductIds(db, idIn(db, 'held.id', param.ids)),
)

/**
 * Locks products until the transaction ends, for a transaction that changes the stock of some more than
 * once. The lock is sent with the next statement. SQLite needs none, because it has a single writer.
 */
export async function lockProducts(db: Db, ids: readonly number[]): Promise<void> {
  if (dialectOf(db) === 'postgres') await writeBatch(db, [lockByIds.write({ ids })])
}

/** The availability of a product without a unit in stock, in SQL. */
export const availabilityWithout = sql`case when backorder = 1 then 'backorder' else 'out_of_stock' end`

interface LinesToTake {
  readonly lines: readonly Line[]
  /** The product IDs of the lines. */
  readonly ids: readonly number[]
  readonly now: Instant
}

const takeStockOfLines = prepareSql(
  (db: Db, { lines, ids, now }: LinesToTake) => sql`
    update products set stock = stock - line.quantity,
      availability = case when availability = 'in_stock' and stock <= line.quantity
        then ${availabilityWithout} else availability end,
      revision = revision + 1, updated_at = ${now}
    from ${rowsFromJson(db, lines, lineFields)} as line
    where ${isLocked(db, idIn(db, 'held.id', ids))}
      and products.id = line.product_id
      and (products.revision = line.sold_out_revision
        or (line.sold_out_revision is null and (products.stock > line.quantity
          or (products.stock <= 0 and products.backorder = 1))))
      and ${isOnSale}`,
)

interface QuantityToTake {
  readonly id: number
  readonly quantity: number
  readonly now: Instant
}

const takeStock = (availability: RawBuilder<unknown>) =>
  prepareSql(
    (_: Db, { id, quantity, now }: QuantityToTake) => sql`
      update products set stock = stock - ${quantity}, ${availability} revision = revision + 1,
        updated_at = ${now}
      where id = ${id} and (stock >= ${quantity} or backorder = 1) and ${isOnSale}`,
  )

const takePart = takeStock(sql``)

const takeLast = takeStock(sql`availability = case when availability = 'in_stock'
  then ${availabilityWithout} else availability end,`)

/**
 * Returns the statements that take counted stock, of all lines or of none, and the changes that they
 * make; no statements without lines. Where a line takes the last unit of a product, or another order has left no more
 * than the line takes, the product must be as it was read; one that is on backorder must still be. SQLite has no round trips and takes one
 * statement per line, which updates the indexed availability only when the stock reaches 0: there, the
 * stock cannot have changed since the read.
 */
export function takeStockStatements(
  db: Db,
  stockLines: readonly StockLine[],
  now: Instant,
): { readonly writes: readonly PreparedWrite[]; readonly changes: readonly StockChange[] } {
  if (stockLines.length === 0) return { writes: [], changes: [] }
  const changes = stockLines.map((line) => ({ before: line.product, after: takenFrom(line, now) }))
  invalidateStock(stockLines.map(({ product }) => product))
  if (dialectOf(db) === 'postgres') {
    const lines = stockLines.map(toLine)
    const ids = lines.map(({ product_id }) => product_id)
    return { writes: [takeStockOfLines.write({ lines, ids, now }, lines.length)], changes }
  }
  const writes = stockLines.map(({ product: { id, stock }, quantity }) =>
    (takesLast(stock, quantity) ? takeLast : takePart).write({ id, quantity, now }, 1),
  )
  return { writes, changes }
}

const takesLast = (stock: number, quantity: number): boolean => stock > 0 && stock <= quantity

const toLine = ({ product: { id, stock, revision }, quantity }: StockLine): Line => ({
  product_id: id,
  quantity,
  sold_out_revision: takesLast(stock, quantity) ? revision : null,
})

function takenFrom({ product, quantity }: StockLine, now: Instant): ProductInEvent {
  const stock = product.stock - quantity
  const isLast = takesLast(product.stock, quantity) && product.availability === 'in_stock'
  const availability = isLast ? availabilityBelow(product) : product.availability
  return { ...product, stock, availability, revision: product.revision + 1, updated_at: now }
}

/** Invalidates what was read of products whose stock has changed. */
export function invalidateStock(products: readonly { readonly id: number }[]): void {
  if (products.length > 0)
    invalidate(...products.map(({ id }) => productCacheTag(id)), stockAndRatingCacheTag)
}
