import { eventStatements } from '#shop/events/outbox-store.ts'
import type { OrderState } from '#shop/orders/orders/store.ts'
import { storeOrder } from '#shop/orders/parcels/actions.ts'
import { requirePieces } from '#shop/orders/parcels/quantities.ts'
import { readToSend } from '#shop/orders/parcels/store.ts'
import { type StartedRefund, startRefund } from '#shop/orders/refunds/actions.ts'
import type { PaymentProvider } from '#shop/providers/provider.ts'
import type { Shop } from '#shop/shop.ts'
import type { Db } from '#store/database.ts'
import { writeBatch } from '#store/query/write-batch.ts'
import { isUnchanged } from '#store/unchanged.ts'
import { type Instant, startOfDay, storedChangeTime } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import { piecesToReturn } from './claims.ts'
import { type ReturnEventType, returnEvent } from './events.ts'
import { requireChangeableStock, requireReturnable, requireTransition } from './rules.ts'
import type { ReturnPatch } from './schema.ts'
import type { ReturnOfOrder } from './store.ts'
import { returns, type StoredReturn } from './table.ts'

/** A return that is asked for; `declared_by` is who withdraws without signing in. */
interface RequestedReturn extends Pick<StoredReturn, 'items' | 'kind'> {
  readonly reason?: string | null
  readonly declared_by?: string | null
}

/**
 * Asks for the return of pieces. Throws 409 unless the order allows it and has these pieces left, and 422 for an unknown
 * item.
 */
export async function createReturn(
  db: Db,
  order: OrderState,
  { items, kind, reason = null, declared_by = null }: RequestedReturn,
  shop: Shop,
  now: Instant,
): Promise<ReturnOfOrder> {
  requireReturnable(order, shop, now)
  const read = await readToSend(db, order)
  const added = await returns.insert(db, {
    order_id: order.id,
    kind,
    items: requirePieces(
      items,
      read.items,
      piecesToReturn(read.items, read.claims, kind),
      'return.pieces_left',
    ),
    status: 'requested',
    restock: true,
    declared_by,
    reason,
    reply: null,
    created_at: order.user_id === null ? startOfDay(now) : now,
    updated_at: storedChangeTime(order, now),
  })
  const counted = { return_count: order.return_count + 1 }
  const event = returnEvent('return.requested', { ...added, user_id: order.user_id }, now)
  // A withdrawal may leave nothing to send.
  const unsentFirst = [...read.claims.unsentFirst, ...(kind === 'withdrawal' ? [added] : [])]
  const next = { ...read, claims: { ...read.claims, unsentFirst } }
  return { ...added, order: await storeOrder(db, next, [event], now, counted) }
}

/** A changed return, and its refund where that has begun. */
interface ChangedReturn {
  readonly changed: ReturnOfOrder
  readonly refunding?: StartedRefund
}

/**
 * Changes a return, and begins its refund where the body asks for it: the caller must settle it. Throws 409 for a
 * transition that does not exist, and for a refund of what was not received.
 */
export async function patchReturn(
  db: Db,
  { order, ...before }: ReturnOfOrder,
  { refund = false, ...patch }: ReturnPatch,
  provider: PaymentProvider,
  now: Instant,
): Promise<ChangedReturn> {
  const { status = before.status } = patch
  if (status !== before.status) requireTransition(before, status)
  requireChangeableStock(before, patch.restock)
  if (refund && status !== 'received') {
    throw problem('4091', 'return.not_received', { from: before.status })
  }
  const stored = isUnchanged(before, patch)
    ? before
    : await returns.save(db, before, patch, storedChangeTime(order, now))
  const type: ReturnEventType = status === before.status ? 'return.updated' : `return.${status}`
  const event = returnEvent(type, { ...stored, user_id: order.user_id }, now)
  const isRejected = type === 'return.rejected'
  // The pieces of a withdrawal that is rejected are to be sent after all.
  const after = isRejected ? await storeOrder(db, await readToSend(db, order), [event], now) : order
  if (stored !== before && !isRejected) await writeBatch(db, eventStatements(db, [event]))
  if (!refund) return { changed: { ...stored, order: after } }
  const { items, restock, reason } = stored
  const body = { items: [...items], restock, reason }
  const refunding = await startRefund(db, order, body, provider, now, stored.id)
  return { changed: { ...stored, order: after }, refunding }
}
