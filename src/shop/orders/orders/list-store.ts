import { ordersByWords } from '#shop/orders/search/words-store.ts'
import type { Db } from '#store/database.ts'
import { dialectOf, hasSeveral, isKept, isOneOf } from '#store/query/dialect.ts'
import { maxRowsToSort, type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { countRows, sumCounts, type Total } from '#store/query/total.ts'
import { textKey } from '#values/text-key.ts'
import type { OrderFilters } from './schema.ts'
import { type OrderState, selectWithPaymentClaims } from './store.ts'

function countOrders(db: Db, { status, user_id = 0 }: OrderFilters): Promise<Total> {
  const counters = db.selectFrom('order_counts').where('user_id', '=', user_id)
  return sumCounts(status ? counters.where(isOneOf(db, 'status', status)) : counters)
}

/** How many orders match: `isMany` if they are read in the order of the list, and then maybe without that of a status. */
interface Extent {
  readonly isMany: boolean
  readonly isStatusBypassed: boolean
}

/** Selects the orders that match all filters. */
function filteredOrders(db: Db, filters: OrderFilters, { isMany, isStatusBypassed }: Extent) {
  const { status, user_id, q, number, external_id } = filters
  let query = db.selectFrom('orders').where(isKept('orders.deleted_at', q !== undefined && !isMany))
  if (status) query = query.where(isOneOf(db, 'orders.status', status, isStatusBypassed))
  if (user_id !== undefined) query = query.where('orders.user_id', '=', user_id)
  if (number !== undefined) query = query.where('orders.number_key', '=', textKey(number))
  if (external_id !== undefined) query = query.where('orders.external_id', '=', external_id)
  return q === undefined
    ? query
    : query.where((eb) => eb.and(ordersByWords.conditions(db, q, isMany)))
}

/** Returns a page of the orders that match every filter. */
export async function listOrders(
  db: Db,
  filters: OrderFilters,
  page: PageRequest,
): Promise<PageResult<OrderState>> {
  const { status, user_id, q, number, external_id } = filters
  // Few match them, in no order of an index.
  const isSearch = (q ?? number ?? external_id) !== undefined
  const matches = { isMany: false, isStatusBypassed: false }
  const length = isSearch
    ? countRows(db, filteredOrders(db, filters, matches))
    : countOrders(db, filters)
  // The index of a user's orders is sorted by ID; none has those of several statuses, or of a search.
  const isSorted = !isSearch && (user_id === undefined ? !hasSeveral(status) : page.sort === 'id')
  const isFew = !isSorted && (await length).items <= maxRowsToSort
  const isStatusBypassed = isUnsorted(db, filters, page) && (await length).items > maxRowsToSort
  return paginate(
    db,
    filteredOrders(db, filters, { isMany: !isFew, isStatusBypassed }),
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
