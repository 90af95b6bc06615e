import { createMessage, type Message } from '#i18n/message.ts'
import {
  type DiscountableLine,
  type DiscountScope,
  type DiscountValue,
  isDiscounted,
} from '#shop/checkout/pricing/discount-amount.ts'
import { parsePercent } from '#shop/checkout/pricing/percent.ts'
import type { Instant } from '#values/instant.ts'
import type { Minor } from '#values/money.ts'
import type { Discount } from './discounts.ts'

/** Returns what the discount is worth, and on which lines. */
export function discountTermsOf({ kind, value, products, categories }: Discount): {
  readonly value: DiscountValue
  readonly scope: DiscountScope
} {
  const scope = { products, categories }
  switch (kind) {
    case 'percent':
      return { value: { kind, percent: parsePercent(String(value)) ?? 0 }, scope }
    case 'amount':
      return { value: { kind, amountMinor: Number(value) }, scope }
    case 'free_shipping':
      return { value: { kind }, scope }
    default:
      return kind satisfies never
  }
}

/** What a discount is applied to. */
export interface DiscountedPurchase {
  readonly lines: readonly DiscountableLine[]
  /** The subtotal before the discount. */
  readonly subtotalMinor: Minor
}

/** Returns why a discount that an order uses already does not apply to it; undefined if it does. */
export function inapplicableReason(
  { code, minimum_subtotal, products, categories }: Discount,
  { lines, subtotalMinor }: DiscountedPurchase,
): Message | undefined {
  if (minimum_subtotal !== null && subtotalMinor < minimum_subtotal) {
    return createMessage('discount.minimum', { code })
  }
  const isAmongThem = lines.some((line) => isDiscounted(line, { products, categories }))
  return isAmongThem ? undefined : createMessage('discount.not_applicable', { code })
}

/** A purchase of a user who may have used a discount as often as one user can. */
interface UsersPurchase extends DiscountedPurchase {
  readonly isUsedUpByUser: boolean
}

/** Returns why a purchase cannot use the discount with this code now; undefined if it can. */
export function unusableReason(
  discount: Discount | undefined,
  code: string,
  purchase: UsersPurchase,
  now: Instant,
): Message | undefined {
  if (!discount?.active) return createMessage('discount.unknown', { code })
  const { starts_at, ends_at, usage_limit, used_count } = discount
  if (starts_at !== null && now < starts_at) return createMessage('discount.not_started', { code })
  if (ends_at !== null && now >= ends_at) return createMessage('discount.ended', { code })
  if (usage_limit !== null && used_count >= usage_limit) {
    return createMessage('discount.used_up', { code })
  }
  return (
    inapplicableReason(discount, purchase) ??
    (purchase.isUsedUpByUser ? createMessage('discount.used_up_by_user', { code }) : undefined)
  )
}
