import { type OrderItemRow, orderItems } from '#shop/orders/order-items/table.ts'
import { findOrder, type OrderState } from '#shop/orders/orders/store.ts'
import { findActiveRefunds } from '#shop/orders/refunds/store.ts'
import { claimsOf, type PieceClaims } from '#shop/orders/returns/claims.ts'
import { findReturns } from '#shop/orders/returns/store.ts'
import type { Db } from '#store/database.ts'
import { idIn } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import { parcels, type StoredParcel } from './table.ts'

/** A parcel with its order. */
export type ParcelOfOrder = StoredParcel & { readonly order: OrderState }

/** Finds a parcel of an order by ID. */
export async function findParcel(
  db: Db,
  orderId: number,
  id: number,
): Promise<ParcelOfOrder | undefined> {
  const found = await parcels.find(db, { id, order_id: orderId })
  const order = found && (await findOrder(db, orderId))
  return order && { ...found, order }
}

/** Returns a page of the parcels of an order. */
export async function listParcels(
  db: Db,
  order: OrderState,
  page: PageRequest,
): Promise<PageResult<ParcelOfOrder>> {
  const found = await paginate(
    db,
    db.selectFrom('parcels').where('order_id', '=', order.id),
    { id: 'id', created_at: 'created_at', updated_at: 'updated_at' },
    page,
    (rows) => rows.selectAll('parcels'),
    { isFew: true },
  )
  return { ...found, rows: found.rows.map((row) => ({ ...parcels.fromDatabase(row), order })) }
}

const ofOrders = prepareQuery((db: Db, param: { ids: readonly number[]; maxRows: number }) =>
  db
    .selectFrom('parcels')
    .selectAll('parcels')
    .where(idIn(db, 'parcels.order_id', param.ids))
    .orderBy('parcels.order_id', 'desc')
    .orderBy('parcels.id')
    .limit(param.maxRows),
)

/** Returns the parcels of several orders, up to `maxRows`, those of the newest order first. */
export const findParcelsOf = async (
  db: Db,
  ids: readonly number[],
  maxRows: number,
): Promise<readonly StoredParcel[]> =>
  (await ofOrders.all(db, { ids, maxRows })).map((row) => parcels.fromDatabase(row))

/** Loads the parcels of several orders in one query, at most `maxRows`. */
export async function loadParcelsOf<O extends OrderState>(
  db: Db,
  orders: readonly O[],
  maxRows: number,
): Promise<ReadonlyMap<O, readonly ParcelOfOrder[]>> {
  const sent = orders.filter(({ parcel_count }) => parcel_count > 0).map(({ id }) => id)
  const found = sent.length === 0 ? [] : await findParcelsOf(db, sent, maxRows)
  const byOrder = Map.groupBy(found, ({ order_id }) => order_id)
  return new Map(
    orders.map((order) => [
      order,
      (byOrder.get(order.id) ?? []).map((parcel) => ({ ...parcel, order })),
    ]),
  )
}

/** An order with what its parcels may be made of. */
export interface OrderToSend {
  readonly order: OrderState
  readonly items: readonly OrderItemRow[]
  readonly claims: PieceClaims
  readonly parcels: readonly StoredParcel[]
}

/**
 * Reads what parcels of an order may be made of, without the refunds that have failed meanwhile. The order's revision
 * shows whether it has changed since.
 */
export async function readToSend(
  db: Db,
  order: OrderState,
  failed: ReadonlySet<number> = new Set(),
): Promise<OrderToSend> {
  const ofOrder = { order_id: order.id }
  const refunds = await findActiveRefunds(db, order.id)
  const standing = refunds.filter(({ id }) => !failed.has(id))
  return {
    order,
    items: await orderItems.findAll(db, ofOrder, { order: 'id' }),
    claims: claimsOf(standing, await findReturns(db, order)),
    parcels: order.parcel_count === 0 ? [] : await parcels.findAll(db, ofOrder, { order: 'id' }),
  }
}
