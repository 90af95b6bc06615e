import type { Instant } from '#values/instant.ts'
import type { Minor } from '#values/money.ts'
import { problem } from '#values/problem.ts'

interface Caller {
  readonly userId: number | null
  readonly role: 'customer' | 'admin' | null
}

/**
 * Returns the ID of the user whose entries the caller may list, undefined for all users. Throws
 * 403/4031 when a caller who is no administrator requests those of another user.
 */
export function visibleUserId(
  { userId, role }: Caller,
  requestedUserId?: number,
): number | undefined {
  if (role === 'admin') return requestedUserId
  if (userId === null || (requestedUserId !== undefined && requestedUserId !== userId)) {
    throw problem('4031', 'detail.not_owner')
  }
  return userId
}

/** The cache tag of all purchases. */
export const purchasesCacheTag = 'purchases'

/** Adds the computed fields of a purchase's representation. */
export const presentPurchase = <
  P extends { readonly unit_price_minor: Minor; readonly purchased_at: Instant },
>(
  purchase: P,
) => ({
  ...purchase,
  unit_price: purchase.unit_price_minor,
  created_at: purchase.purchased_at,
  updated_at: purchase.purchased_at,
})
