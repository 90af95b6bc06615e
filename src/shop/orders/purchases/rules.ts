import type { Instant } from '#values/instant.ts'
import type { Minor } from '#values/money.ts'

/** Adds the computed fields of a purchase's representation. */
export const presentPurchase = <
  P extends {
    readonly unit_price: Minor
    readonly purchased_at: Instant
    readonly returned_at: Instant | null
  },
>(
  purchase: P,
) => ({
  ...purchase,
  unit_price: purchase.unit_price,
  created_at: purchase.purchased_at,
  updated_at: purchase.returned_at ?? purchase.purchased_at,
})
