import { sql } from 'kysely'
import type { StockChange } from '#shop/catalogue/products/events.ts'
import { type ProductInEvent, presentedSchemas } from '#shop/catalogue/products/rules.ts'
import { availabilityBelow } from '#shop/catalogue/products/sellable.ts'
import { integer } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { idIn, idInQuery, rowsFromJson } from '#store/query/dialect.ts'
import { prepareSql } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import { sumQuantities } from '#values/quantities.ts'
import { availabilityWithout, invalidateStock, isLocked, productColumns } from './stock-store.ts'

/** The columns of a product that change when units are returned. */
const returnedColumns = (quantity: string, now: Instant) => sql`
  stock = stock + ${sql.ref(quantity)}, availability = case
    when availability not in ('out_of_stock', 'backorder') then availability
    when stock + ${sql.ref(quantity)} > 0 then 'in_stock' else ${availabilityWithout} end, revision = revision + 1, updated_at = ${now}`

const shownColumns = sql.join(productColumns.map((name) => sql.ref(name)))

const returnStockStatement = prepareSql(
  (db: Db, { orderIds, now }: { orderIds: readonly number[]; now: Instant }) => {
    const items = sql`from order_items
      where ${idIn(db, 'order_items.order_id', orderIds)} and order_items.taken > 0`
    return sql`
      update products set ${returnedColumns('line.returned', now)}
      from (select product_id, sum(taken) as returned ${items} group by product_id) as line
      where products.id = line.product_id and products.stock is not null
        and ${isLocked(db, idInQuery(db, 'held.id', sql`(select product_id ${items})`))}
      returning ${shownColumns},
        (select sum(taken) ${items} and order_items.product_id = products.id) as returned`
  },
  { ...presentedSchemas, returned: integer },
)

/** Returns the units that these orders took to the stock, where it is counted, and the changes. */
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
  const wasOut = stock <= 0 && after.availability === 'in_stock'
  return {
    before: { ...after, stock, ...(wasOut && { availability: availabilityBelow(after) }) },
    after,
  }
}

/** The quantity to put back to the stock of a product. */
interface ReturnedQuantity {
  readonly product_id: number
  readonly quantity: number
}

interface Restocking {
  readonly lines: readonly ReturnedQuantity[]
  readonly ids: readonly number[]
  readonly now: Instant
}

const lineFields = { product_id: 'integer', quantity: 'integer' } as const

const restockStatement = prepareSql(
  (db: Db, { lines, ids, now }: Restocking) => sql`
    update products set ${returnedColumns('line.quantity', now)}
    from ${rowsFromJson(db, lines, lineFields)} as line
    where products.id = line.product_id and products.stock is not null
      and ${isLocked(db, idIn(db, 'held.id', ids))}
    returning ${shownColumns}`,
  presentedSchemas,
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
