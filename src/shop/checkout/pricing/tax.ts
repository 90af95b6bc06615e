import type { Minor } from '#values/money.ts'
import { findRegion } from '#values/regions.ts'
import { textKey } from '#values/text-key.ts'
import { scaleHalfUp } from './exact.ts'
import { type PercentUnits, wholePercent } from './percent.ts'

/** A tax rate and what it applies to; null applies to every region, category or tax class. */
export interface TaxRule {
  readonly country: string
  readonly region: string | null
  readonly category: string | null
  readonly tax_class?: string | null
  readonly rate: PercentUnits
}

/** Where an order is taxed. */
export interface TaxPlace {
  readonly country: string | null
  readonly region: string | null
}

/** What decides the rate of a product; shipping has neither. */
export interface TaxedProduct {
  readonly category: string | null
  readonly tax_class?: string | null
}

/**
 * Returns the rate for a product, or for shipping: the most specific rule of the place, where a region outweighs
 * a tax class, and that a category; 0 without one.
 */
export function findTaxRate(
  rules: readonly TaxRule[],
  place: TaxPlace,
  product: TaxedProduct,
): PercentUnits {
  if (rules.length === 0) return 0
  const isOf = (wanted: string | null | undefined, own: string | null | undefined) =>
    (wanted ?? null) === null || textKey(wanted ?? '') === textKey(own ?? '')
  const applicable = rules.filter(
    (rule) =>
      rule.country === place.country &&
      (rule.region === null || isSameRegion(rule, place)) &&
      isOf(rule.category, product.category) &&
      isOf(rule.tax_class, product.tax_class),
  )
  const specificity = (rule: TaxRule) =>
    (rule.region === null ? 0 : 4) +
    ((rule.tax_class ?? null) === null ? 0 : 2) +
    (rule.category === null ? 0 : 1)
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
