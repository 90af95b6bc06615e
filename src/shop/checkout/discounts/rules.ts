import { createMessage, type Message } from '#i18n/message.ts'
import {
  type DiscountableLine,
  type DiscountScope,
  type DiscountValue,
  isDiscounted,
} from '#shop/checkout/pricing/discount-amount.ts'
import { formatPercent, parsePercent } from '#shop/checkout/pricing/percent.ts'
import { requireUnchangedField } from '#shop/fixed-field.ts'
import type { Instant } from '#values/instant.ts'
import type { Minor } from '#values/money.ts'
import { fieldProblem } from '#values/problem.ts'
import type { DiscountBody, DiscountKind } from './schema.ts'

/** The fields of a discount that administrators set. */
export interface DiscountState {
  readonly code: string
  readonly kind: DiscountKind
  /** Ten-thousandths of a percent or minor units, by the kind; null for free shipping. */
  readonly value: number | null
  readonly minimum_subtotal: Minor | null
  readonly products: readonly number[]
  readonly categories: readonly string[]
  readonly starts_at: Instant | null
  readonly ends_at: Instant | null
  readonly usage_limit: number | null
  readonly usage_limit_per_user: number | null
  readonly active: boolean
}

/** A stored discount. */
export interface StoredDiscount extends DiscountState {
  readonly id: number
  readonly used_count: number
  readonly revision: number
  readonly created_at: Instant
  readonly updated_at: Instant
  readonly deleted_at: Instant | null
}

/** Returns the state of a new discount, or of one replaced by PUT. Throws 400/4001 and 422/4221. */
export function createDiscountState(body: DiscountBody): DiscountState {
  const { starts_at = null, ends_at = null } = body
  if (body.value === undefined && body.kind !== 'free_shipping') {
    throw fieldProblem([
      { field: 'value', message: createMessage('field.required'), missing: true },
    ])
  }
  if (starts_at !== null && ends_at !== null && ends_at <= starts_at) {
    throw fieldProblem([{ field: 'ends_at', message: createMessage('discount.empty_period') }])
  }
  return {
    code: body.code,
    kind: body.kind,
    value: parseValue(body.kind, body.value ?? null),
    minimum_subtotal: body.minimum_subtotal ?? null,
    products: [...new Set(body.products)],
    categories: [...new Set(body.categories)],
    starts_at,
    ends_at,
    usage_limit: body.usage_limit ?? null,
    usage_limit_per_user: body.usage_limit_per_user ?? null,
    active: body.active ?? true,
  }
}

function parseValue(kind: DiscountKind, value: string | number | null): number | null {
  const invalid = (key: 'discount.percent' | 'discount.amount' | 'discount.no_value') =>
    fieldProblem([{ field: 'value', message: createMessage(key) }])
  switch (kind) {
    case 'percent': {
      const units = typeof value === 'string' ? parsePercent(value) : undefined
      if (units === undefined || units === 0) throw invalid('discount.percent')
      return units
    }
    case 'amount':
      if (typeof value !== 'number' || value === 0) throw invalid('discount.amount')
      return value
    case 'free_shipping':
      if (value !== null) throw invalid('discount.no_value')
      return null
    default:
      return kind satisfies never
  }
}

/** Returns the value as a representation shows it. */
export const presentValue = ({ kind, value }: Pick<DiscountState, 'kind' | 'value'>) =>
  kind === 'percent' ? formatPercent(value ?? 0) : value

/** Returns the body of PUT that has no effect on the discount. */
export const toDiscountBody = (state: DiscountState): DiscountBody => ({
  ...state,
  value: presentValue(state),
  minimum_subtotal: state.minimum_subtotal,
  products: [...state.products],
  categories: [...state.categories],
})

/** Throws 422/4221 when a change names another code, regardless of case. */
export const requireSameCode = (current: string, code: string): void =>
  requireUnchangedField('code', current.toLowerCase(), code.toLowerCase())

/** Returns what the discount is worth, and on which lines. */
export function discountTermsOf({ kind, value, products, categories }: DiscountState): {
  readonly value: DiscountValue
  readonly scope: DiscountScope
} {
  const scope = { products, categories }
  switch (kind) {
    case 'percent':
      return { value: { kind, percent: value ?? 0 }, scope }
    case 'amount':
      return { value: { kind, amountMinor: value ?? 0 }, scope }
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
  { code, minimum_subtotal, products, categories }: DiscountState,
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
  discount: StoredDiscount | undefined,
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
