import type { Minor } from '#values/money.ts'
import { textKey } from '#values/text-key.ts'
import { scaleHalfUp } from './exact.ts'
import { type PercentUnits, wholePercent } from './percent.ts'

/** A tax rate and what it applies to; null applies to every region or category. */
export interface TaxRule {
  readonly country: string
  readonly region: string | null
  readonly category: string | null
  readonly rate: PercentUnits
}

/** Where an order is taxed. */
export interface TaxPlace {
  readonly country: string | null
  readonly region: string | null
}

/**
 * Returns the rate for a product of `category`, or for shipping when that is null: the most specific
 * rule of the place, where a region outweighs a category; 0 without one.
 */
export function findTaxRate(
  rules: readonly TaxRule[],
  place: TaxPlace,
  category: string | null,
): PercentUnits {
  const categoryKey = category === null ? null : textKey(category)
  const applicable = rules.filter(
    (rule) =>
      rule.country === place.country &&
      (rule.region === null || isSameRegion(rule.region, place.region)) &&
      (rule.category === null || textKey(rule.category) === categoryKey),
  )
  const specificity = (rule: TaxRule) =>
    (rule.region === null ? 0 : 2) + (rule.category === null ? 0 : 1)
  return applicable.toSorted((a, b) => specificity(b) - specificity(a))[0]?.rate ?? 0
}

const isSameRegion = (region: string, other: string | null) =>
  other !== null && textKey(region) === textKey(other)

/** The tax on an amount in minor units, rounded half up: contained in it, or to be added to it. */
export const taxOn = (amount: Minor, rate: PercentUnits, isIncluded: boolean): Minor =>
  scaleHalfUp(amount, rate, isIncluded ? wholePercent + rate : wholePercent)
