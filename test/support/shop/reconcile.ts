import assert from 'node:assert/strict'
import type { Selectable } from 'kysely'
import type { Db } from '#store/database.ts'
import type { Tables } from '#store/tables.ts'
import { findWrongCounts } from '#test/support/counts.ts'
import { findOutdatedTexts } from './following.ts'

type Row<Table extends keyof Tables> = Selectable<Tables[Table]>

/** An order with its items, payments, parcels, refunds and purchases. */
interface OrderRows {
  readonly order: Row<'orders'>
  readonly items: readonly Row<'order_items'>[]
  readonly payments: readonly Row<'payments'>[]
  readonly parcels: readonly Row<'parcels'>[]
  readonly returns: readonly Row<'returns'>[]
  readonly refunds: readonly Row<'refunds'>[]
  readonly purchases: readonly Row<'purchases'>[]
}

/** A statement about a row, and whether it holds. */
type Check = readonly [sentence: string, holds: boolean]

/**
 * Asserts that an idle database is consistent: every order with its items, payments, refunds and
 * purchases, every product with its reviews, stock and price, every counter, and every column that follows from a text. `stocks` are the first
 * stocks of products, by ID, which nothing but orders has changed. The error lists all violations.
 */
export async function reconcile(
  db: Db,
  stocks: ReadonlyMap<number, number> = new Map(),
): Promise<void> {
  const orders = await readOrders(db)
  const wrong = [
    ...orders.flatMap(orderViolations),
    ...(await orphanedRows(db)),
    ...(await productViolations(db)),
    ...(await stockViolations(db, orders, stocks)),
    ...(await findWrongCounts(db)),
    ...(await findOutdatedTexts(db)),
  ]
  assert.equal(wrong.length, 0, `the database is inconsistent:\n${wrong.join('\n')}`)
}

async function readOrders(db: Db): Promise<readonly OrderRows[]> {
  const items = groupByOrder(await db.selectFrom('order_items').selectAll().execute())
  const payments = groupByOrder(await db.selectFrom('payments').selectAll().execute())
  const refunds = groupByOrder(await db.selectFrom('refunds').selectAll().execute())
  const parcels = groupByOrder(await db.selectFrom('parcels').selectAll().execute())
  const returns = groupByOrder(await db.selectFrom('returns').selectAll().execute())
  const purchases = groupByOrder(await db.selectFrom('purchases').selectAll().execute())
  const orders = await db.selectFrom('orders').selectAll().orderBy('id').execute()
  return orders.map((order) => ({
    order,
    items: items.get(order.id) ?? [],
    payments: payments.get(order.id) ?? [],
    parcels: parcels.get(order.id) ?? [],
    returns: returns.get(order.id) ?? [],
    refunds: refunds.get(order.id) ?? [],
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
    ...checkRefunds(orderRows),
    ...checkParcels(orderRows),
    ...checkReturns(orderRows),
    ...checkPurchases(orderRows),
    ...checkState(orderRows),
  ]
    .filter(([, holds]) => !holds)
    .map(([sentence]) => `order ${id}, ${status}: not true that ${sentence}`)
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)

function checkSums({ order, items }: OrderRows): readonly Check[] {
  const { subtotal, discount_total, shipping_cost, total, item_count } = order
  const addedTax = order.prices_include_tax === 1 ? 0 : order.tax
  return [
    ['it has items', items.length > 0],
    [
      'each line total is its price times its quantity',
      items.every((item) => item.line_total === item.unit_price * item.quantity),
    ],
    ['the items sum up to the subtotal', sum(items.map((item) => item.line_total)) === subtotal],
    [
      'the discounts of the items sum up to that of the order',
      sum(items.map(({ discount }) => discount)) === discount_total,
    ],
    ['the tax adds up', sum(items.map((item) => item.tax)) + order.shipping_tax === order.tax],
    ['the items are counted', sum(items.map(({ quantity }) => quantity)) === item_count],
    ['the total adds up', total === subtotal - discount_total + shipping_cost + addedTax],
  ]
}

const isPaid = ({ status }: Row<'orders'>): boolean =>
  status === 'paid' || status === 'shipped' || status === 'delivered'

function checkPayments({ order, payments }: OrderRows): readonly Check[] {
  const withStatus = (status: Row<'payments'>['status']) =>
    payments.filter((payment) => payment.status === status)
  const succeeded = withStatus('succeeded')
  const open = [...withStatus('pending'), ...withStatus('action_required')]
  const isFor = (payment: Row<'payments'>) =>
    payment.amount === order.total && payment.currency === order.currency
  return [
    ['at most one payment has succeeded or is open', succeeded.length + open.length <= 1],
    ['a pending payment will be settled', open.every((one) => one.due_at !== null)],
    ['a pending payment is of the total', open.every(isFor)],
    [
      'only a payment that waits for the buyer has a next action',
      payments.every((one) => (one.next_action !== null) === (one.status === 'action_required')),
    ],
    [
      'a decided payment is not to be cancelled',
      payments.every((one) => one.cancel_requested_at === null || open.includes(one)),
    ],
    isPaid(order)
      ? [
          'exactly one payment of the total has succeeded, if there is any',
          succeeded.length === (order.total > 0 ? 1 : 0) && succeeded.every(isFor),
        ]
      : [
          'no payment has succeeded, unless it is being refunded',
          succeeded.every((one) => one.refunding > 0),
        ],
    [
      'the payment of a refunded order was refunded',
      order.status !== 'refunded' ||
        order.total === 0 ||
        withStatus('refunded').filter(isFor).length === 1,
    ],
  ]
}

const amountOf = (refunds: readonly Row<'refunds'>[]) => sum(refunds.map((one) => one.amount))

function checkRefunds({ order, items, payments, refunds }: OrderRows): readonly Check[] {
  const ofPayment = ({ id }: Row<'payments'>, status: Row<'refunds'>['status']) =>
    refunds.filter((one) => one.payment_id === id && one.status === status)
  const paying = payments.filter(({ status }) => status === 'succeeded')
  const standing = refunds.filter(({ status }) => status !== 'failed')
  return [
    [
      'no more is refunded than was paid',
      payments.every((one) => one.refunded >= 0 && one.refunded + one.refunding <= one.amount),
    ],
    [
      'the refunds that succeeded are summed',
      payments.every((one) => one.refunded === amountOf(ofPayment(one, 'succeeded'))),
    ],
    [
      'the pending refunds are summed',
      payments.every((one) => one.refunding === amountOf(ofPayment(one, 'pending'))),
    ],
    [
      'a pending refund, and no other, will be settled',
      refunds.every((one) => (one.status === 'pending') === (one.due_at !== null)),
    ],
    [
      'the order shows what was refunded of its payment',
      isPaid(order)
        ? order.refunded === sum(paying.map((one) => one.refunded))
        : order.refunded === 0 || order.refunded === order.total,
    ],
    [
      'a refunded order is refunded in full',
      isEnded(order) || order.refunded === 0 || isPaid(order),
    ],
    [
      'a paid order is not refunded in full',
      !isPaid(order) || order.total === 0 || order.refunded < order.total,
    ],
    [
      'no piece is refunded twice',
      items.every((item) => piecesOf(item, standing) <= item.quantity),
    ],
    ['shipping is refunded once', standing.filter(({ shipping }) => shipping === 1).length <= 1],
  ]
}

const isEnded = ({ status }: Row<'orders'>) => status === 'cancelled' || status === 'refunded'

/** The pieces of an item in refunds or parcels. */
const piecesOf = (
  { id }: Row<'order_items'>,
  refunds: readonly { readonly items: string }[],
): number =>
  sum(
    refunds
      .flatMap((one) => JSON.parse(one.items) as { order_item_id: number; quantity: number }[])
      .filter(({ order_item_id }) => order_item_id === id)
      .map(({ quantity }) => quantity),
  )

/** The pieces of an item that are not in the stock. */
function piecesGone({ order, refunds }: OrderRows, item: Row<'order_items'>): number {
  const returned = refunds.filter(({ status }) => status === 'succeeded')
  if (order.status === 'cancelled') {
    return piecesOf(
      item,
      returned.filter(({ restock }) => restock === 0),
    )
  }
  const restocked = piecesOf(
    item,
    returned.filter(({ restock }) => restock === 1),
  )
  // Those that were never sent go back with the order.
  const isPartlySent = order.status === 'refunded' && order.parcel_count > 0
  const unsent = Math.max(0, item.quantity - item.sent - piecesOf(item, returned))
  return item.quantity - restocked - (isPartlySent ? unsent : 0)
}

async function stockViolations(
  db: Db,
  orders: readonly OrderRows[],
  stocks: ReadonlyMap<number, number>,
): Promise<readonly string[]> {
  if (stocks.size === 0) return []
  const gone = new Map<number, number>()
  for (const rows of orders) {
    for (const item of rows.items) {
      if (item.product_id === null) continue
      gone.set(item.product_id, (gone.get(item.product_id) ?? 0) + piecesGone(rows, item))
    }
  }
  const products = await db.selectFrom('products').select(['id', 'stock']).execute()
  return products.flatMap(({ id, stock }) => {
    const first = stocks.get(id)
    const expected = first === undefined ? stock : first - (gone.get(id) ?? 0)
    return stock === expected ? [] : [`product ${id}: its stock is ${stock}, not ${expected}`]
  })
}

/** The returns that no refund has ended, and that are not rejected. */
const openReturns = ({ returns, refunds }: Pick<OrderRows, 'returns' | 'refunds'>) => {
  const refunded = new Set(
    refunds.filter(({ status }) => status !== 'failed').map(({ return_id }) => return_id),
  )
  return returns.filter(
    ({ id, status }) => status !== 'rejected' && status !== 'refunded' && !refunded.has(id),
  )
}

function checkReturns({ order, items, returns, refunds }: OrderRows): readonly Check[] {
  const standing = refunds.filter(({ status }) => status !== 'failed')
  const taking = [...standing, ...openReturns({ returns, refunds })]
  return [
    ['its returns are counted', order.return_count === returns.length],
    [
      'no piece is returned and refunded twice',
      items.every((item) => piecesOf(item, taking) <= item.quantity),
    ],
    [
      'a return whose refund has succeeded is refunded',
      refunds.every(
        ({ return_id, status }) =>
          status !== 'succeeded' ||
          return_id === null ||
          returns.some((each) => each.id === return_id && each.status === 'refunded'),
      ),
    ],
    [
      'a refunded order has no open return',
      order.status !== 'refunded' || openReturns({ returns, refunds }).length === 0,
    ],
  ]
}

function checkParcels({ order, items, parcels, returns, refunds }: OrderRows): readonly Check[] {
  // What takes pieces that were not sent.
  const ofSent = new Set(returns.filter((each) => each.kind === 'return').map(({ id }) => id))
  const standing = [
    ...refunds.filter(
      ({ status, return_id }) =>
        status !== 'failed' && (return_id === null || !ofSent.has(return_id)),
    ),
    ...openReturns({ returns, refunds }).filter((each) => each.kind === 'withdrawal'),
  ]
  const isToSend = (item: Row<'order_items'>) =>
    item.requires_shipping === 1 && item.quantity > item.sent + piecesOf(item, standing)
  const isSent = parcels.length > 0 && ['shipped', 'delivered'].includes(order.status)
  const areDelivered = parcels.every(({ status }) => status === 'delivered')
  return [
    ['its parcels are counted', order.parcel_count === parcels.length],
    [
      'the pieces in parcels are counted, and are no more than were ordered',
      items.every((item) => item.sent === piecesOf(item, parcels) && item.sent <= item.quantity),
    ],
    [
      'a paid order with parcels has something more to send',
      order.status !== 'paid' || parcels.length === 0 || items.some(isToSend),
    ],
    ['an order that was sent has nothing more to send', !isSent || !items.some(isToSend)],
    [
      'an order is delivered with its last parcel',
      !isSent || areDelivered === (order.status === 'delivered'),
    ],
    ['a cancelled order has no parcels', order.status !== 'cancelled' || parcels.length === 0],
    [
      'a delivered parcel, and no other, has the time of it',
      parcels.every((one) => (one.status === 'delivered') === (one.delivered_at !== null)),
    ],
  ]
}

function checkPurchases({ order, items, refunds, purchases }: OrderRows): readonly Check[] {
  if (!isPaid(order)) return [['there are no purchases', purchases.length === 0]]
  const returned = refunds.filter(({ status }) => status === 'succeeded')
  const left = (item: Row<'order_items'>) => item.quantity - piecesOf(item, returned)
  const byItem = new Map(purchases.map((purchase) => [purchase.order_item_id, purchase]))
  const matches = (item: Row<'order_items'>): boolean => {
    const purchase = byItem.get(item.id)
    if (left(item) === 0) return purchase === undefined
    return (
      purchase?.product_id === item.product_id &&
      purchase.quantity === left(item) &&
      purchase.unit_price === item.unit_price &&
      purchase.user_id === order.user_id
    )
  }
  return [
    [
      'there is one purchase per item that was not returned',
      purchases.length === items.filter((item) => left(item) > 0).length,
    ],
    ['each purchase matches its item and buyer', items.every(matches)],
  ]
}

function checkState({ order, items }: OrderRows): readonly Check[] {
  const { status, shipping_status, shipped_at, delivered_at, deleted_at } = order
  const isShipped = status === 'shipped' || status === 'delivered' || status === 'refunded'
  const isDelivered = status === 'delivered' || (status === 'refunded' && delivered_at !== null)
  return [
    [
      'only a cancelled order has a reason for it',
      (status === 'cancelled') === (order.cancel_reason !== null),
    ],
    ['only a pending order keeps its network', status === 'pending' || order.network === null],
    [
      'only the items of a pending order are unpaid, with what they took',
      items.every(({ unpaid, taken }) => unpaid === (status === 'pending' ? taken || null : null)),
    ],
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
  for (const table of [
    'order_items',
    'payments',
    'parcels',
    'returns',
    'refunds',
    'purchases',
  ] as const) {
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
    await db
      .selectFrom('reviews')
      .select(['product_id', 'rating'])
      .where('status', '=', 'published')
      .where('deleted_at', 'is', null)
      .execute(),
    ({ product_id }) => product_id,
  )
  const products = await db.selectFrom('products').selectAll().orderBy('id').execute()
  const variants = Map.groupBy(
    products.filter(({ deleted_at }) => deleted_at === null),
    ({ variant_of }) => variant_of,
  )
  const prices = new Map(
    (await db.selectFrom('product_prices').selectAll().orderBy('id').execute()).map((price) => [
      price.product_id,
      price,
    ]),
  )
  return products.flatMap((product) => {
    const last = prices.get(product.id)
    const isRemovedVariant = product.variant_of !== null && product.deleted_at !== null
    const reviewed = product.variant_of ?? product.id
    const ratings = (reviews.get(reviewed) ?? []).map(({ rating }) => rating)
    const { rating_sum, rating_count, rating_average, stock, backorder } = product
    const average = rating_count === 0 ? null : rating_sum / rating_count
    const checks: readonly Check[] = [
      ['its reviews are counted', isRemovedVariant || rating_count === ratings.length],
      ['its ratings are summed', isRemovedVariant || rating_sum === sum(ratings)],
      ['its average is theirs', isSame(rating_average, average)],
      ['its stock is not negative', stock === null || stock >= 0 || backorder === 1],
      [
        'its price is the last one kept',
        product.deleted_at !== null || last?.price === product.price,
      ],
      ...checkVariants(product, variants.get(product.id) ?? []),
    ]
    return checks
      .filter(([, holds]) => !holds)
      .map(([sentence]) => `product ${product.id}: not true that ${sentence}`)
  })
}

function checkVariants(
  parent: Row<'products'>,
  variants: readonly Row<'products'>[],
): readonly Check[] {
  const shown = variants.filter(({ status }) => status === 'active')
  const expected =
    ['in_stock', 'backorder', 'preorder'].find((word) =>
      shown.some(({ availability }) => availability === word),
    ) ?? 'out_of_stock'
  const prices = shown
    .filter(({ availability }) => availability !== 'discontinued')
    .map(({ price }) => price)
  const hasVariants = variants.length > 0
  return [
    ['its variants are counted', parent.variant_count === variants.length],
    [
      'its price is the lowest of its variants',
      parent.price_from === (prices.length === 0 ? null : Math.min(...prices)),
    ],
    ['it has the availability of its variants', !hasVariants || parent.availability === expected],
    ['its variants alone have stock', !hasVariants || parent.stock === null],
    ['a variant has no variants', !hasVariants || parent.variant_of === null],
  ]
}

// PostgreSQL divides in decimals, which may round differently.
const isSame = (a: number | null, b: number | null): boolean =>
  a === null || b === null ? a === b : Math.abs(a - b) < 1e-9
