import type { Minor } from '#values/money.ts'
import { findRegion } from '#values/regions.ts'
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
  if (rules.length === 0) return 0
  const categoryKey = category === null ? null : textKey(category)
  const applicable = rules.filter(
    (rule) =>
      rule.country === place.country &&
      (rule.region === null || isSameRegion(rule, place)) &&
      (rule.category === null || textKey(rule.category) === categoryKey),
  )
  const specificity = (rule: TaxRule) =>
    (rule.region === null ? 0 : 2) + (rule.category === null ? 0 : 1)
  return applicable.toSorted((a, b) => specificity(b) - specificity(a))[0]?.rate ?? 0
}

const isSameRegion = ({ country, region }: TaxRule, place: TaxPlace) =>
  region !== null &&
  place.region !== null &&
  placeKey(country, region) === placeKey(country, place.region)

/** The form in which regions of a country are compared: their code, if there is one. */
const placeKey = (country: string, region: string) =>
  findRegion(country, region)?.code ?? textKey(region)

/** The tax on an amount in minor units, rounded half up: contained in it, or to be added to it. */
export const taxOn = (amount: Minor, rate: PercentUnits, isIncluded: boolean): Minor =>
  scaleHalfUp(amount, rate, isIncluded ? wholePercent + rate : wholePercent)
