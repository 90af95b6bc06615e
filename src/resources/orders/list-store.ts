import type { Db } from '#db/database.ts'
import { dialectOf, withoutIndex } from '#db/query/dialect.ts'
import {
  maxRowsToSort,
  type PageRequest,
  type PageResult,
  paginate,
  sumCounts,
} from '#db/query/page.ts'
import type { OrderFilters } from './schema.ts'
import { type OrderState, selectWithPaymentClaims } from './store.ts'
import type { OrderRow } from './table.ts'

function countOrders(db: Db, { status, user_id = 0 }: OrderFilters): Promise<number> {
  const counters = db.selectFrom('order_counts').where('user_id', '=', user_id)
  return sumCounts(status === undefined ? counters : counters.where('status', '=', status))
}

/** Returns a page of the orders that match every filter. */
export async function listOrders(
  db: Db,
  filters: OrderFilters,
  page: PageRequest,
): Promise<PageResult<OrderState>> {
  const { status, user_id } = filters
  const length = countOrders(db, filters)
  // The index of a user's orders is sorted by ID.
  const isFew = user_id !== undefined && page.sort !== 'id' && (await length) <= maxRowsToSort
  const isMany = isUnsorted(db, filters, page) && (await length) > maxRowsToSort
  const compared = withoutIndex<OrderRow['status']>('orders.status', isMany)
  let query = db.selectFrom('orders').where('orders.deleted_at', 'is', null)
  if (status !== undefined) query = query.where(compared, '=', status)
  if (user_id !== undefined) query = query.where('orders.user_id', '=', user_id)
  return paginate(
    query,
    {
      id: 'orders.id',
      created_at: 'orders.created_at',
      updated_at: 'orders.updated_at',
      total: 'orders.total_minor',
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
  dialectOf(db) === 'sqlite' && status !== undefined && user_id === undefined && sort === 'total'
