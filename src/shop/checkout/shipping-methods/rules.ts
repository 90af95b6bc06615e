import { createMessage } from '#i18n/message.ts'
import type { Minor } from '#values/money.ts'
import { fieldProblem } from '#values/problem.ts'
import type { ShippingMethodBody, ShippingMethodPatch } from './schema.ts'

/** The fields of a shipping method that administrators set; amounts in minor units. */
export interface ShippingMethodState {
  readonly code: string
  readonly name: string
  readonly countries: readonly string[]
  readonly price_minor: Minor
  readonly free_from_minor: Minor | null
  readonly delivery_days: number | null
  readonly active: boolean
}

/** Returns the state of a new method, or of one replaced by PUT. */
export const createMethodState = (body: ShippingMethodBody): ShippingMethodState => ({
  code: body.code,
  name: body.name,
  countries: [...new Set(body.countries)].sort(),
  price_minor: body.price,
  free_from_minor: body.free_from ?? null,
  delivery_days: body.delivery_days ?? null,
  active: body.active ?? true,
})

/** Returns the body of PUT that has the effect of a PATCH. */
export const patchMethod = (
  state: ShippingMethodState,
  patch: ShippingMethodPatch,
): ShippingMethodBody => ({
  code: state.code,
  name: state.name,
  countries: [...state.countries],
  price: state.price_minor,
  free_from: state.free_from_minor,
  delivery_days: state.delivery_days,
  active: state.active,
  ...patch,
})

/** The shipping methods of a new shop, with prices in major units. */
const initialMethods = [
  { code: 'standard', name: 'Standard delivery', price: 5, delivery_days: 3 },
  { code: 'express', name: 'Express delivery', price: 15, delivery_days: 1 },
  { code: 'pickup', name: 'Pickup at the shop', price: 0, delivery_days: null },
] as const

/** The shipping methods of a new shop. */
export const defaultMethods = (currencyDigits: number): readonly ShippingMethodState[] =>
  initialMethods.map(({ price, ...method }) => ({
    ...method,
    price_minor: price * 10 ** currencyDigits,
    countries: [],
    free_from_minor: null,
    active: true,
  }))

/** Where an order is sent by a method. */
export interface MethodChoice {
  /** The subtotal of the order before any discount. */
  readonly subtotalMinor: Minor
  /** ISO 3166-1 alpha-2 code; null while unknown. */
  readonly country: string | null
}

/**
 * Returns the cost of a method for an order, in minor units. Throws 422/4221 on `field` for a method
 * that is unknown or inactive, or that does not serve the country.
 */
export function costOfMethod(
  method: ShippingMethodState | undefined,
  { subtotalMinor, country }: MethodChoice,
  field: string,
): Minor {
  if (!method?.active) {
    throw fieldProblem([{ field, message: createMessage('shipping.unknown_method') }])
  }
  const { countries, free_from_minor: freeFrom, price_minor, name } = method
  if (countries.length > 0 && (country === null || !countries.includes(country))) {
    throw fieldProblem([{ field, message: createMessage('shipping.not_served', { name }) }])
  }
  return freeFrom !== null && subtotalMinor >= freeFrom ? 0 : price_minor
}
