import { type DomainEvent, eventStatements } from '#shop/events/outbox-store.ts'
import { orderItems } from '#shop/orders/order-items/table.ts'
import { orderEvent } from '#shop/orders/orders/events.ts'
import { statusChange } from '#shop/orders/orders/rules.ts'
import {
  type OrderChange,
  type OrderState,
  updateOrder,
  updateOrderStatement,
} from '#shop/orders/orders/store.ts'
import type { Db } from '#store/database.ts'
import { writeBatch } from '#store/query/write-batch.ts'
import { isUnchanged } from '#store/unchanged.ts'
import { type Instant, startOfDay, storedChangeTime } from '#values/instant.ts'
import { type ParcelEventType, parcelEvent } from './events.ts'
import { piecesByItem } from './quantities.ts'
import { piecesOfParcel, requireSendable, requireUndelivered } from './rules.ts'
import type { NewParcel, ParcelPatch } from './schema.ts'
import { changeBySending } from './sending.ts'
import { type OrderToSend, type ParcelOfOrder, readToSend } from './store.ts'
import { parcels, type StoredParcel } from './table.ts'

/** Adds the pieces of a parcel to what was sent of the items, or takes them away. */
async function countSent(
  db: Db,
  items: OrderToSend['items'],
  parcel: StoredParcel,
  sign: 1 | -1,
): Promise<OrderToSend['items']> {
  const pieces = piecesByItem([parcel])
  const moved = items.map((item) => ({
    ...item,
    sent: item.sent + sign * (pieces.get(item.id) ?? 0),
  }))
  const changed = moved.filter(({ id }) => pieces.has(id))
  await orderItems.updateAll(
    db,
    changed.map(({ id, sent }) => ({ id, sent })),
  )
  return moved
}

/**
 * Stores how an order changes with its parcels, besides `more`, with the events of its parts and its own. The order is
 * its next revision in any case, so that two changes of its parts do not both read the same.
 */
export async function storeOrder(
  db: Db,
  next: OrderToSend,
  events: readonly DomainEvent[],
  now: Instant,
  more: OrderChange = {},
): Promise<OrderState> {
  const { change, type } = changeBySending(next, false, now)
  const { order, write } = updateOrderStatement(next.order, { ...more, ...change }, now)
  await writeBatch(db, [write, ...eventStatements(db, [...events, orderEvent(type, order, now)])])
  return order
}

const eventOf = (
  type: ParcelEventType,
  parcel: StoredParcel,
  { user_id }: OrderState,
  now: Instant,
): DomainEvent => parcelEvent(type, { ...parcel, user_id }, now)

/**
 * Sends pieces of a paid order in a parcel. The first one has the tracking of the shipping where it has none of its own.
 * Throws 409 unless the order may be sent and has these pieces left, and 422 for an unknown item.
 */
export async function createParcel(
  db: Db,
  order: OrderState,
  body: NewParcel,
  now: Instant,
  more: OrderChange = {},
): Promise<ParcelOfOrder> {
  const planned = { ...order, ...more }
  requireSendable(planned)
  const read = await readToSend(db, order)
  const prepared = order.parcel_count === 0 ? planned : undefined
  const {
    carrier = prepared?.carrier ?? null,
    tracking_number = prepared?.tracking_number ?? null,
    tracking_url = prepared?.tracking_url ?? null,
  } = body
  const parcel = await parcels.insert(db, {
    order_id: order.id,
    items: piecesOfParcel(body.items, read),
    status: 'in_transit',
    ...{ carrier, tracking_number, tracking_url },
    delivered_at: null,
    created_at: order.user_id === null ? startOfDay(now) : now,
    updated_at: storedChangeTime(order, now),
  })
  const items = await countSent(db, read.items, parcel, 1)
  const next = { ...read, items, parcels: [...read.parcels, parcel] }
  return {
    ...parcel,
    order: await storeOrder(db, next, [eventOf('parcel.created', parcel, order, now)], now, more),
  }
}

/** Changes the tracking of a parcel, or marks it as delivered. Throws 409 for one that is to go back. */
export async function updateParcel(
  db: Db,
  { order, ...parcel }: ParcelOfOrder,
  patch: ParcelPatch,
  now: Instant,
): Promise<ParcelOfOrder> {
  if (isUnchanged(parcel, patch)) return { ...parcel, order }
  const arrives = patch.status === 'delivered' && parcel.status === 'in_transit'
  if (patch.status === 'in_transit') requireUndelivered(parcel)
  const changes = { ...patch, ...(arrives && { delivered_at: now }) }
  const changed = await parcels.save(db, parcel, changes, storedChangeTime(order, now))
  const read = await readToSend(db, order)
  const type = arrives ? 'parcel.delivered' : 'parcel.updated'
  return {
    ...changed,
    order: await storeOrder(db, read, [eventOf(type, changed, order, now)], now),
  }
}

/** Removes a parcel that was not delivered: its pieces are to be sent again. */
export async function removeParcel(
  db: Db,
  { order, ...parcel }: ParcelOfOrder,
  now: Instant,
): Promise<void> {
  requireUndelivered(parcel)
  const read = await readToSend(db, order)
  await parcels.delete(db, { id: parcel.id })
  const next = {
    ...read,
    items: await countSent(db, read.items, parcel, -1),
    parcels: read.parcels.filter(({ id }) => id !== parcel.id),
  }
  await storeOrder(db, next, [eventOf('parcel.deleted', parcel, order, now)], now)
}

/** Returns the tracking that a change gives an order: it is that of the parcel that the change sends. */
const newTracking = (order: OrderState, change: OrderChange): NewParcel =>
  Object.fromEntries(
    Object.entries({
      carrier: change.carrier,
      tracking_number: change.tracking_number,
      tracking_url: change.tracking_url,
    }).filter(([name, value]) => value !== undefined && value !== order[name as 'carrier']),
  )

/**
 * Sends all of an order that is left, in one parcel, if it has anything to send, and stores the other changes. Throws as
 * `createParcel`.
 */
export async function sendAll(
  db: Db,
  order: OrderState,
  more: OrderChange,
  now: Instant,
): Promise<OrderState> {
  if (order.requires_shipping === 1) {
    return (await createParcel(db, order, newTracking(order, more), now, more)).order
  }
  return updateOrder(db, order, { ...more, ...statusChange('shipped', now) }, 'order.shipped', now)
}

/** Marks all parcels of an order, and the order, as delivered, and stores the other changes. */
export async function deliverAll(
  db: Db,
  order: OrderState,
  more: OrderChange,
  now: Instant,
): Promise<OrderState> {
  const delivered = { status: 'delivered', delivered_at: now } as const
  const arrived = await parcels.reviseRows(
    db,
    { order_id: order.id, status: 'in_transit' },
    delivered,
    storedChangeTime(order, now),
  )
  if (order.parcel_count === 0) {
    const change = { ...more, ...statusChange('delivered', now) }
    return updateOrder(db, order, change, 'order.delivered', now)
  }
  const read = await readToSend(db, order)
  const events = arrived.map((parcel) => eventOf('parcel.delivered', parcel, order, now))
  return storeOrder(db, read, events, now, more)
}

/** Gives the first parcel of an order the tracking of its shipping, and stores the other changes. */
export async function changeFirstTracking(
  db: Db,
  order: OrderState,
  more: OrderChange,
  now: Instant,
): Promise<OrderState> {
  const { parcels: before, ...read } = await readToSend(db, order)
  const [first, ...others] = before
  const { carrier, tracking_number, tracking_url } = { ...order, ...more }
  const tracking = { carrier, tracking_number, tracking_url }
  if (!first || isUnchanged(first, tracking)) {
    return storeOrder(db, { ...read, parcels: before }, [], now, more)
  }
  const changed = await parcels.save(db, first, tracking, storedChangeTime(order, now))
  const next = { ...read, parcels: [changed, ...others] }
  return storeOrder(db, next, [eventOf('parcel.updated', changed, order, now)], now, more)
}
