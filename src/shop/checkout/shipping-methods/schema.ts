import { Type } from 'typebox'
import {
  Country,
  Id,
  Money,
  mergePatch,
  nullable,
  requestBody,
  timestamps,
  type ValueOf,
} from '#schema/words.ts'

/** The code of a shipping method, by which orders name it. */
export const MethodCode = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,49}$',
  description: 'The code of the shipping method.',
  examples: ['standard'],
})

const maxCountries = 250

const fields = {
  name: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'The name that buyers see.',
    examples: ['Standard delivery'],
  }),
  countries: Type.Array(Country('ISO 3166-1 alpha-2 code.'), {
    maxItems: maxCountries,
    default: [],
    entry: 'country',
    description: 'The countries that the method delivers to; empty for all.',
    examples: [['GB', 'IE']],
  }),
  price: Money({ description: 'The cost of the method.' }),
  free_from: nullable(
    Money({
      description:
        'The subtotal, before any discount, from which the method costs nothing; null for never.',
    }),
  ),
  delivery_days: nullable(
    Type.Integer({
      minimum: 0,
      maximum: 365,
      description: 'The usual number of days until delivery.',
      examples: [3],
    }),
  ),
  active: Type.Boolean({
    default: true,
    description: 'Whether buyers can choose the method.',
    examples: [true],
  }),
}

/** A shipping method in responses. */
export const ShippingMethod = Type.Object({
  id: Id(),
  code: MethodCode,
  ...fields,
  ...timestamps,
})

/** The body of POST and PUT; PUT must repeat the code. */
export const ShippingMethodBody = requestBody(
  {
    code: MethodCode,
    name: fields.name,
    price: fields.price,
    countries: Type.Optional(fields.countries),
    free_from: Type.Optional(fields.free_from),
    delivery_days: Type.Optional(fields.delivery_days),
    active: Type.Optional(fields.active),
  },
  ShippingMethod,
)
export type ShippingMethodBody = ValueOf<typeof ShippingMethodBody>

/** The body of PATCH. */
export const ShippingMethodPatch = mergePatch(ShippingMethodBody)
export type ShippingMethodPatch = ValueOf<typeof ShippingMethodPatch>

/** The filters of the list. */
export const ShippingMethodFilters = Type.Object({
  code: Type.Optional(Type.String({ description: 'Only the method with this code.' })),
  country: Type.Optional(Country('Only methods that deliver to this country.')),
})
export type ShippingMethodFilters = ValueOf<typeof ShippingMethodFilters>
