import type { Instant } from '#values/instant.ts'
import type { Minor } from '#values/money.ts'
import { problem } from '#values/problem.ts'

/** Who asks for purchases. */
interface Reader {
  readonly userId: number | null
  readonly role: 'customer' | 'admin' | null
}

/**
 * Whose purchases a reader is shown, undefined for everybody's: an administrator those asked for,
 * anyone else their own; asking for another user's is refused with 403.
 */
export function buyerShownTo({ userId, role }: Reader, asked?: number): number | undefined {
  if (role === 'admin') return asked
  if (userId === null || (asked !== undefined && asked !== userId)) {
    throw problem('4031', 'detail.not_owner')
  }
  return userId
}

/** By what is announced that something was bought, or its money given back. */
export const purchaseChanges = 'purchases'

/** A purchase as it is told. */
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
