import assert from 'node:assert/strict'
import type { Selectable } from 'kysely'
import type { Db } from '#db/database.ts'
import type { Tables } from '#db/tables/tables.ts'
import { findWrongCounts } from './counts.ts'

type Row<Table extends keyof Tables> = Selectable<Tables[Table]>

/** An order with its items, payments and purchases. */
interface OrderRows {
  readonly order: Row<'orders'>
  readonly items: readonly Row<'order_items'>[]
  readonly payments: readonly Row<'payments'>[]
  readonly purchases: readonly Row<'purchases'>[]
}

/** A statement about a row, and whether it holds. */
type Check = readonly [sentence: string, holds: boolean]

/**
 * Asserts that an idle database is consistent: every order with its items, payments and purchases,
 * every product with its reviews and stock, and every counter. The error lists all violations.
 */
export async function reconcile(db: Db): Promise<void> {
  const wrong = [
    ...(await readOrders(db)).flatMap(orderViolations),
    ...(await orphanedRows(db)),
    ...(await productViolations(db)),
    ...(await findWrongCounts(db)),
  ]
  assert.equal(wrong.length, 0, `the database is inconsistent:\n${wrong.join('\n')}`)
}

async function readOrders(db: Db): Promise<readonly OrderRows[]> {
  const items = groupByOrder(await db.selectFrom('order_items').selectAll().execute())
  const payments = groupByOrder(await db.selectFrom('payments').selectAll().execute())
  const purchases = groupByOrder(await db.selectFrom('purchases').selectAll().execute())
  const orders = await db.selectFrom('orders').selectAll().orderBy('id').execute()
  return orders.map((order) => ({
    order,
    items: items.get(order.id) ?? [],
    payments: payments.get(order.id) ?? [],
    purchases: purchases.get(order.id) ?? [],
  }))
}

const groupByOrder = <R extends { readonly order_id: number }>(rows: readonly R[]) =>
  Map.groupBy(rows, ({ order_id }) => order_id)

function orderViolations(orderRows: OrderRows): readonly string[] {
  const { id, status } = orderRows.order
  return [
    ...checkSums(orderRows),
    ...checkPayments(orderRows),
    ...checkPurchases(orderRows),
    ...checkState(orderRows),
  ]
    .filter(([, holds]) => !holds)
    .map(([sentence]) => `order ${id}, ${status}: not true that ${sentence}`)
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)

function checkSums({ order, items }: OrderRows): readonly Check[] {
  const { subtotal_minor, shipping_cost_minor, tax_minor, total_minor, item_count } = order
  return [
    ['it has items', items.length > 0],
    [
      'each line total is its price times its quantity',
      items.every((item) => item.line_total_minor === item.unit_price_minor * item.quantity),
    ],
    [
      'the items sum up to the subtotal',
      sum(items.map((item) => item.line_total_minor)) === subtotal_minor,
    ],
    ['the items are counted', sum(items.map(({ quantity }) => quantity)) === item_count],
    ['the total adds up', total_minor === subtotal_minor + shipping_cost_minor + tax_minor],
  ]
}

const isPaid = ({ status }: Row<'orders'>): boolean =>
  status === 'paid' || status === 'shipped' || status === 'delivered'

function checkPayments({ order, payments }: OrderRows): readonly Check[] {
  const withStatus = (status: Row<'payments'>['status']) =>
    payments.filter((payment) => payment.status === status)
  const [succeeded, pending] = [withStatus('succeeded'), withStatus('pending')]
  const isFor = (payment: Row<'payments'>) =>
    payment.amount_minor === order.total_minor && payment.currency === order.currency
  return [
    ['at most one payment has succeeded or is pending', succeeded.length + pending.length <= 1],
    ['a pending payment will be settled', pending.every((one) => one.settle_after !== null)],
    ['a pending payment is of the total', pending.every(isFor)],
    [
      'a pending refund will be settled',
      payments.every((one) => one.refund_requested_at === null || one.settle_after !== null),
    ],
    isPaid(order)
      ? [
          'exactly one payment of the total has succeeded',
          succeeded.length === 1 && succeeded.every(isFor),
        ]
      : [
          'no payment has succeeded, unless it is being refunded',
          succeeded.every((one) => one.refund_requested_at !== null),
        ],
    [
      'the payment of a refunded order was refunded',
      order.status !== 'refunded' || withStatus('refunded').filter(isFor).length === 1,
    ],
  ]
}

function checkPurchases({ order, items, purchases }: OrderRows): readonly Check[] {
  if (!isPaid(order)) return [['there are no purchases', purchases.length === 0]]
  const byItem = new Map(purchases.map((purchase) => [purchase.order_item_id, purchase]))
  const matches = (item: Row<'order_items'>): boolean => {
    const purchase = byItem.get(item.id)
    return (
      purchase?.product_id === item.product_id &&
      purchase.quantity === item.quantity &&
      purchase.unit_price_minor === item.unit_price_minor &&
      purchase.user_id === order.user_id
    )
  }
  return [
    ['there is one purchase per item', purchases.length === items.length],
    ['each purchase matches its item and buyer', items.every(matches)],
  ]
}

function checkState({ order }: OrderRows): readonly Check[] {
  const { status, shipping_status, shipped_at, delivered_at, deleted_at } = order
  const isShipped = status === 'shipped' || status === 'delivered' || status === 'refunded'
  const isDelivered = status === 'delivered' || status === 'refunded'
  return [
    ['only a pending order expires', (status === 'pending') === (order.expires_at !== null)],
    ['a removed order is cancelled', deleted_at === null || status === 'cancelled'],
    ['shipped_at matches the status', isShipped === (shipped_at !== null)],
    ['delivered_at matches the status', isDelivered === (delivered_at !== null)],
    [
      'shipping_status matches the status',
      shipping_status === (isDelivered ? 'delivered' : isShipped ? 'in_transit' : 'pending'),
    ],
  ]
}

/** Describes rows whose order does not exist. */
async function orphanedRows(db: Db): Promise<readonly string[]> {
  const found: string[] = []
  for (const table of ['order_items', 'payments', 'purchases'] as const) {
    const rows = await db
      .selectFrom(table)
      .select(['id', 'order_id'])
      .where('order_id', 'not in', (eb) => eb.selectFrom('orders').select('orders.id'))
      .execute()
    found.push(...rows.map(({ id, order_id }) => `${table} ${id}: there is no order ${order_id}`))
  }
  return found
}

async function productViolations(db: Db): Promise<readonly string[]> {
  const reviews = Map.groupBy(
    await db.selectFrom('reviews').select(['product_id', 'rating']).execute(),
    ({ product_id }) => product_id,
  )
  const products = await db.selectFrom('products').selectAll().orderBy('id').execute()
  return products.flatMap((product) => {
    const ratings = (reviews.get(product.id) ?? []).map(({ rating }) => rating)
    const { rating_sum, rating_count, rating_average, stock } = product
    const average = rating_count === 0 ? null : rating_sum / rating_count
    const checks: readonly Check[] = [
      ['its reviews are counted', rating_count === ratings.length],
      ['its ratings are summed', rating_sum === sum(ratings)],
      ['its average is theirs', isSame(rating_average, average)],
      ['its stock is not negative', stock === null || stock >= 0],
    ]
    return checks
      .filter(([, holds]) => !holds)
      .map(([sentence]) => `product ${product.id}: not true that ${sentence}`)
  })
}

// PostgreSQL divides in decimals, which may round differently.
const isSame = (a: number | null, b: number | null): boolean =>
  a === null || b === null ? a === b : Math.abs(a - b) < 1e-9
