import { createMessage } from '#i18n/message.ts'
import { lockUser } from '#shop/accounts/users/store.ts'
import type { Db } from '#store/database.ts'
import type { Quota } from '#values/allowance.ts'
import { hourMs, type Instant, secondMs } from '#values/instant.ts'
import { Problem } from '#values/problem.ts'
import {
  countPendingHistory,
  countUnpaidOrders,
  findFirstExpiry,
  lockNetwork,
  type Placer,
} from './store.ts'

/** The rules for orders that are not paid yet. */
export interface UnpaidOrderRules {
  /** How many a user may have; `off` counts those of no user and of no network. */
  readonly perUser: number | 'off'
  /** The share of a product that those of one network may hold without yielding, from 0 to 1. */
  readonly stockShare: number
}

/** How many unpaid orders a network may have. */
const maxPerNetwork = 50

/**
 * The orders that a network may place in an hour without paying: twice what expires in that time if it has as
 * many unpaid ones as it may, which nobody exceeds who does not cancel what was just placed.
 */
export const placementQuota: Quota = { name: 'orders', limit: 200, windowMs: hourMs }

/** How often a network may change orders or their shipping in an hour: each change is an event of the whole order. */
export const changeQuota: Quota = { name: 'order changes', limit: 600, windowMs: hourMs }

/** Makes orders of the same user, and of the same network, wait for each other until the transaction ends. */
export async function lockPlacer(
  db: Db,
  { userId, network }: Placer,
  { perUser }: UnpaidOrderRules,
): Promise<void> {
  if (perUser === 'off') return
  await lockUser(db, userId)
  await lockNetwork(db, network)
}

/**
 * Throws 429/4291, with Retry-After, if user or network, which are locked, have as many unpaid orders as they
 * may.
 */
export async function requireFewUnpaidOrders(
  db: Db,
  placer: Placer,
  { perUser }: UnpaidOrderRules,
  now: Instant,
): Promise<void> {
  if (perUser === 'off') return
  const { ofUser, ofNetwork } = await countUnpaidOrders(db, placer)
  const history = ofUser < perUser ? 0 : await countPendingHistory(db, placer.userId)
  if (ofUser - history < perUser && ofNetwork < maxPerNetwork) return
  const expiresAt = (await findFirstExpiry(db, placer)) ?? now
  throw new Problem(
    '4291',
    createMessage('order.too_many_unpaid', { limit: perUser, network: maxPerNetwork }),
    {
      headers: { 'retry-after': String(Math.max(1, Math.ceil((expiresAt - now) / secondMs))) },
    },
  )
}
