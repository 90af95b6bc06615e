import type { Db } from '#store/database.ts'
import { dialectOf, hasSeveral, isOneOf } from '#store/query/dialect.ts'
import {
  maxRowsToSort,
  type PageRequest,
  type PageResult,
  paginate,
  sumCounts,
} from '#store/query/page.ts'
import type { OrderFilters } from './schema.ts'
import { type OrderState, selectWithPaymentClaims } from './store.ts'

function countOrders(db: Db, { status, user_id = 0 }: OrderFilters): Promise<number> {
  const counters = db.selectFrom('order_counts').where('user_id', '=', user_id)
  return sumCounts(status ? counters.where(isOneOf(db, 'status', status)) : counters)
}

/** Returns a page of the orders that match every filter. */
export async function listOrders(
  db: Db,
  filters: OrderFilters,
  page: PageRequest,
): Promise<PageResult<OrderState>> {
  const { status, user_id } = filters
  const length = countOrders(db, filters)
  // The index of a user's orders is sorted by ID; none has those of several statuses.
  const isSorted = user_id === undefined ? !hasSeveral(status) : page.sort === 'id'
  const isFew = !isSorted && (await length) <= maxRowsToSort
  const isMany = isUnsorted(db, filters, page) && (await length) > maxRowsToSort
  let query = db.selectFrom('orders').where('orders.deleted_at', 'is', null)
  if (status) query = query.where(isOneOf(db, 'orders.status', status, isMany))
  if (user_id !== undefined) query = query.where('orders.user_id', '=', user_id)
  return paginate(
    query,
    {
      id: 'orders.id',
      created_at: 'orders.created_at',
      updated_at: 'orders.updated_at',
      total: 'orders.total',
      status: 'orders.status',
    },
    page,
    selectWithPaymentClaims,
    { length, isFew },
  )
}

/**
 * True when no index covers filter and sort order. Such an index would slow down every checkout, and
 * SQLite, without statistics, would sort any number of rows.
 */
const isUnsorted = (db: Db, { status, user_id }: OrderFilters, { sort }: PageRequest): boolean =>
  dialectOf(db) === 'sqlite' &&
  status !== undefined &&
  user_id === undefined &&
  (sort === 'total' || hasSeveral(status))
