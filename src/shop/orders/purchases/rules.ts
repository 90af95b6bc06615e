import type { PurchaseRow } from './table.ts'

/** Adds the computed fields of a purchase's representation. */
export const presentPurchase = <P extends PurchaseRow>(purchase: P) => ({
  ...purchase,
  created_at: purchase.purchased_at,
  updated_at: purchase.returned_at ?? purchase.purchased_at,
})
