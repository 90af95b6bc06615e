import assert from 'node:assert/strict'
import type { Selectable } from 'kysely'
import type { Db } from '#db/database.ts'
import type { Tables } from '#db/tables/tables.ts'
import { wrongCounts } from './counts.ts'

type Row<Table extends keyof Tables> = Selectable<Tables[Table]>

/** An order with everything that belongs to it. */
interface Account {
  readonly order: Row<'orders'>
  readonly items: readonly Row<'order_items'>[]
  readonly payments: readonly Row<'payments'>[]
  readonly purchases: readonly Row<'purchases'>[]
}

/** What must hold of an order, as a sentence, and whether it does. */
type Check = readonly [sentence: string, holds: boolean]

/**
 * Asserts that a database at rest adds up: every order with its items, payments and purchases,
 * every product with its reviews and stock, every counter. The error names all that does not.
 */
export async function reconcile(db: Db): Promise<void> {
  const wrong = [
    ...(await accountsOf(db)).flatMap(wrongWithOrder),
    ...(await strayRows(db)),
    ...(await wrongWithProducts(db)),
    ...(await wrongCounts(db)),
  ]
  assert.equal(wrong.length, 0, `the database does not add up:\n${wrong.join('\n')}`)
}

async function accountsOf(db: Db): Promise<readonly Account[]> {
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

function wrongWithOrder(account: Account): readonly string[] {
  const { id, status } = account.order
  return [...sumsOf(account), ...moneyOf(account), ...purchasesOf(account), ...stateOf(account)]
    .filter(([, holds]) => !holds)
    .map(([sentence]) => `order ${id}, ${status}: not true that ${sentence}`)
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)

function sumsOf({ order, items }: Account): readonly Check[] {
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

function moneyOf({ order, payments }: Account): readonly Check[] {
  const having = (status: Row<'payments'>['status']) =>
    payments.filter((payment) => payment.status === status)
  const [succeeded, pending] = [having('succeeded'), having('pending')]
  const isFor = (payment: Row<'payments'>) =>
    payment.amount_minor === order.total_minor && payment.currency === order.currency
  return [
    ['at most one payment stands or is under way', succeeded.length + pending.length <= 1],
    ['a payment under way will be settled', pending.every((one) => one.settle_after !== null)],
    ['a payment under way is of the total', pending.every(isFor)],
    [
      'a refund under way will be settled',
      payments.every((one) => one.refund_requested_at === null || one.settle_after !== null),
    ],
    isPaid(order)
      ? [
          'exactly one payment of the total stands',
          succeeded.length === 1 && succeeded.every(isFor),
        ]
      : [
          'no payment stands, unless it is being given back',
          succeeded.every((one) => one.refund_requested_at !== null),
        ],
    [
      'the payment of a refunded order was given back',
      order.status !== 'refunded' || having('refunded').filter(isFor).length === 1,
    ],
  ]
}

function purchasesOf({ order, items, purchases }: Account): readonly Check[] {
  if (!isPaid(order)) return [['nothing counts as bought', purchases.length === 0]]
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
    ['there is one purchase a line', purchases.length === items.length],
    ['each purchase is of its line and its buyer', items.every(matches)],
  ]
}

function stateOf({ order }: Account): readonly Check[] {
  const { status, shipping_status, shipped_at, delivered_at, deleted_at } = order
  const hasLeft = status === 'shipped' || status === 'delivered' || status === 'refunded'
  const hasArrived = status === 'delivered' || status === 'refunded'
  return [
    ['only a pending order waits', (status === 'pending') === (order.expires_at !== null)],
    ['a removed order is cancelled', deleted_at === null || status === 'cancelled'],
    ['it has left if its status says so', hasLeft === (shipped_at !== null)],
    ['it has arrived if its status says so', hasArrived === (delivered_at !== null)],
    [
      'its parcel is where its status says',
      shipping_status === (hasArrived ? 'delivered' : hasLeft ? 'in_transit' : 'pending'),
    ],
  ]
}

/** Rows of orders that are not there. */
async function strayRows(db: Db): Promise<readonly string[]> {
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

async function wrongWithProducts(db: Db): Promise<readonly string[]> {
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
