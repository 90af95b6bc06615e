import { resourceWord } from '#i18n/message.ts'
import { lockUser } from '#shop/accounts/users/store.ts'
import { type StockChange, stockEvents } from '#shop/catalogue/products/events.ts'
import {
  findProductsToOrder,
  type StockLine,
  takeStockStatements,
} from '#shop/catalogue/products/stock/stock-store.ts'
import { refreshParents } from '#shop/catalogue/variants/actions.ts'
import { parentsToRefresh } from '#shop/catalogue/variants/rules.ts'
import { removeLines, setDiscountStatement } from '#shop/checkout/carts/store.ts'
import { useDiscountStatements } from '#shop/checkout/discounts/uses.ts'
import { eventStatements } from '#shop/events/outbox-store.ts'
import { insertItemsStatements } from '#shop/orders/order-items/store.ts'
import {
  findPriceTerms,
  priceByTerms,
  requireUsableDiscount,
  toPriceColumns,
} from '#shop/orders/pricing/order-price.ts'
import { recordPurchasesStatement } from '#shop/orders/purchases/store.ts'
import { describeDestination } from '#shop/orders/shipping/rules.ts'
import { lockPlacer, requireFewUnpaidOrders } from '#shop/orders/unpaid/limit.ts'
import type { Db } from '#store/database.ts'
import type { PreparedWrite } from '#store/query/prepared.ts'
import { writeBatch } from '#store/query/write-batch.ts'
import type { Instant } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import { orderEvent } from './events.ts'
import {
  fillLines,
  type OrderParts,
  productIdsOf,
  readForOrder,
  requireYielded,
} from './fill-order.ts'
import { mergeLines, type OrderLine, paymentWindowMs, requireExpectedTotal } from './rules.ts'
import type { NewOrder } from './schema.ts'
import * as store from './store.ts'

/** An order to be placed. */
interface Placement {
  readonly userId: number
  readonly body: NewOrder
  /** The network of the request; null for one that an administrator sends. */
  readonly network: string | null
}

/**
 * Places an order of the items in the body, or of the user's cart, which it empties. Freezes prices,
 * takes stock and uses the discount, for which unpaid orders of other networks may yield. An order that
 * costs nothing is paid at once. Throws 4091, 4093 or 4221 when the order cannot be filled, 4291 when too
 * many wait for payment, and 4101 when the user was removed meanwhile.
 */
export async function placeOrder(
  db: Db,
  placement: Placement,
  parts: OrderParts,
  now: Instant,
): Promise<store.OrderState> {
  const { userId, body, network } = placement
  const { shop, unpaidOrders } = parts
  const placer = network === null ? undefined : { userId, network }
  if (placer) await lockPlacer(db, placer, unpaidOrders)
  const requested = await takeRequested(db, userId, body)
  const destination = describeDestination(body.shipping ?? {})
  const [origin, terms] = await Promise.all([
    findProductsToOrder(db, { userId, shop }, productIdsOf(requested.lines)),
    findPriceTerms(db, destination, shop),
    placer && requireFewUnpaidOrders(db, placer, unpaidOrders, now),
  ])
  const { orderId, number, contact } = origin
  if (origin.buyerRemovedAt !== null)
    throw problem('4101', 'detail.gone', { name: resourceWord('user') })
  const { code } = requested
  const read = await readForOrder(
    db,
    { network, lines: requested.lines, productSnapshots: origin.productSnapshots },
    { code, parts, now },
  )
  const { lines, stockLines } = fillLines(requested.lines, read.productSnapshots, {
    areOfCart: !body.items,
  })
  const buyer = { userId, email: contact.contact_email }
  const discount =
    code === null
      ? undefined
      : await requireUsableDiscount(db, { code, discount: read.discount }, { lines, buyer }, now)
  const price = priceByTerms({ lines, destination, discount, terms }, shop)
  requireExpectedTotal(price.total, body.expected_total, shop)
  requireYielded(read)
  const isFree = price.total === 0
  const { order, write } = store.insertOrderStatement({
    ...{ id: orderId, number, user_id: userId },
    status: isFree ? 'paid' : 'pending',
    currency: shop.currency,
    ...toPriceColumns(price, shop),
    discount_id: discount?.id ?? null,
    discount_code: discount?.code ?? null,
    ...contact,
    ...destination,
    ...{ note: body.note ?? null, external_id: body.external_id ?? null },
    expires_at: isFree ? null : now + paymentWindowMs,
    network: isFree ? null : network,
    created_at: now,
    updated_at: now,
  })
  const used = discount && { discountId: discount.id, orderId, ...buyer, now }
  await writeOrder(db, { order, write, lines: price.lines, stockLines }, [
    ...(body.items ? [] : [setDiscountStatement(userId, null, now)]),
    ...(used ? useDiscountStatements(used) : []),
  ])
  return order
}

interface WrittenOrder extends ReturnType<typeof store.insertOrderStatement> {
  readonly lines: Parameters<typeof insertItemsStatements>[2]
  readonly stockLines: readonly StockLine[]
}

/** Writes a new order, what it takes, and what else is written with it. */
async function writeOrder(
  db: Db,
  { order, write, lines, stockLines }: WrittenOrder,
  others: readonly PreparedWrite[],
): Promise<void> {
  const { currency, created_at: now } = order
  const isFree = order.status === 'paid'
  const taken = takeStockStatements(db, stockLines, now)
  const writes = [
    write,
    ...insertItemsStatements(db, { id: order.id, isFree }, lines, now),
    ...others,
    // Late, to lock product rows as briefly as possible.
    ...taken.writes,
    ...eventStatements(db, placementEvents(order, taken.changes, now)),
  ]
  await writeBatch(db, writes, store.asDuplicateOrder)
  if (isFree) await writeBatch(db, [recordPurchasesStatement(order, now)])
  await refreshParents(db, parentsToRefresh(taken.changes), { currency, now })
}

/** The events of a new order, which is paid if it costs nothing, and of the stock that it takes. */
const placementEvents = (
  order: store.OrderState,
  stockChanges: readonly StockChange[],
  now: Instant,
) => [
  orderEvent('order.created', order, now),
  ...(order.status === 'paid' ? [orderEvent('order.paid', order, now)] : []),
  ...stockEvents(stockChanges, order.currency, now),
]

/** The lines to order, and the code of the discount to use. */
interface Requested {
  readonly lines: readonly OrderLine[]
  readonly code: string | null
}

/** Returns what a body orders; blank codes are none. */
async function takeRequested(db: Db, userId: number, body: NewOrder): Promise<Requested> {
  const { lines, code: codeOfCart } = body.items
    ? { lines: mergeLines(body.items), code: null }
    : await takeCart(db, userId)
  const { discount_code: entered = codeOfCart } = body
  return { lines, code: entered?.trim() || null }
}

/** Removes the lines of the cart and returns them with the code of its discount. */
async function takeCart(db: Db, userId: number): Promise<Requested> {
  await lockUser(db, userId)
  const lines = await removeLines(db, userId)
  const [first] = lines
  if (!first) throw problem('4091', 'cart.empty')
  return { lines, code: first.discount_code }
}
