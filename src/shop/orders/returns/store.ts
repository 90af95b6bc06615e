import { findOrder, type OrderState } from '#shop/orders/orders/store.ts'
import type { Db } from '#store/database.ts'
import { idIn } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import { returns, type StoredReturn } from './table.ts'

/** A return with its order. */
export type ReturnOfOrder = StoredReturn & { readonly order: OrderState }

/** Finds a return of an order by ID. */
export async function findReturn(
  db: Db,
  orderId: number,
  id: number,
): Promise<ReturnOfOrder | undefined> {
  const found = await returns.find(db, { id, order_id: orderId })
  const order = found && (await findOrder(db, orderId))
  return order && { ...found, order }
}

/** Returns a return of any order, which is there. */
export async function findReturnById(db: Db, id: number): Promise<ReturnOfOrder> {
  const found = await returns.find(db, { id })
  const order = found && (await findOrder(db, found.order_id))
  if (!order) throw new TypeError(`The return ${id} is gone`)
  return { ...found, order }
}

/** Returns all returns of an order, the oldest first. */
export const findReturns = async (
  db: Db,
  { id, return_count }: Pick<OrderState, 'id' | 'return_count'>,
): Promise<readonly StoredReturn[]> =>
  return_count === 0 ? [] : returns.findAll(db, { order_id: id }, { order: 'id' })

/** Returns a page of the returns of an order. */
export async function listReturns(
  db: Db,
  order: OrderState,
  page: PageRequest,
): Promise<PageResult<ReturnOfOrder>> {
  const found = await paginate(
    db,
    db.selectFrom('returns').where('order_id', '=', order.id),
    { id: 'id', created_at: 'created_at', updated_at: 'updated_at' },
    page,
    (rows) => rows.selectAll('returns'),
    { isFew: true },
  )
  return {
    ...found,
    rows: found.rows.map((row) => ({ ...returns.fromDatabase<object>(row), order })),
  }
}

const ofOrders = prepareQuery((db: Db, param: { ids: readonly number[]; maxRows: number }) =>
  db
    .selectFrom('returns')
    .selectAll('returns')
    .where(idIn(db, 'returns.order_id', param.ids))
    .orderBy('returns.order_id', 'desc')
    .orderBy('returns.id')
    .limit(param.maxRows),
)

/** Returns the returns of several orders, up to `maxRows`, those of the newest order first. */
export const findReturnsOf = async (
  db: Db,
  ids: readonly number[],
  maxRows: number,
): Promise<readonly StoredReturn[]> =>
  (await ofOrders.all(db, { ids, maxRows })).map((row) => returns.fromDatabase<object>(row))
