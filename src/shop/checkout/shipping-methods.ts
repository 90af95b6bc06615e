import { Type } from 'typebox'
import { crud } from '#http/crud.ts'
import { adminOnly, optionalAuthentication, publicCache } from '#http/declare/policy.ts'
import { createMessage } from '#i18n/message.ts'
import { Country, Money, nullable } from '#schema/words.ts'
import { type ColumnsOf, type Row, storedAs } from '#store/columns.ts'
import { entity } from '#store/entity.ts'
import { condition, matching, sortable, withDefault } from '#store/entity-fields.ts'
import type { Minor } from '#values/money.ts'
import { fieldProblem } from '#values/problem.ts'

/** The code of a shipping method, by which orders name it. */
export const MethodCode = Type.String({
  maxLength: 50,
  pattern: '^[a-z0-9][a-z0-9_-]{0,49}$',
  description: 'The code of the shipping method.',
  examples: ['standard'],
})

const countries = storedAs(
  Type.Array(Country('ISO 3166-1 alpha-2 code.'), {
    maxItems: 250,
    entry: 'country',
    description: 'The countries that the method delivers to; empty for all.',
    examples: [['GB', 'IE']],
  }),
  {
    kind: 'text',
    toColumn: (list) => list.join(','),
    fromColumn: (list) => (list === '' ? [] : list.split(',')),
  },
)

/** The ways to send orders. Orders refer to a method by its code. */
export const shippingMethods = entity('shipping_methods', {
  name: 'shipping_method',
  description: 'A way to send orders, and what it costs.',
  fields: {
    code: sortable(MethodCode),
    name: sortable(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'The name that buyers see.',
        examples: ['Standard delivery'],
      }),
    ),
    countries: withDefault(countries, []),
    price: sortable(Money({ description: 'The cost of the method.' })),
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
    active: withDefault(
      Type.Boolean({ description: 'Whether buyers can choose the method.', examples: [true] }),
      true,
    ),
  },
  fixed: ['code'],
  check: (method) => ({ ...method, countries: [...new Set(method.countries)].sort() }),
  unique: ['code where deleted_at is null'],
  indexes: ['active, countries, id where deleted_at is null'],
  duplicate: 'settings.duplicate_code',
  filters: {
    code: Type.Optional(Type.String({ description: 'Only the method with this code.' })),
    country: Type.Optional(
      matching(
        Country('Only methods that deliver to this country.'),
        (country) => condition`(countries = '' or countries like ${`%${country}%`})`,
      ),
    ),
  },
  owner: null,
  encrypted: [],
  kept: 'forever',
})

declare module '#store/tables.ts' {
  interface Tables {
    shipping_methods: ColumnsOf<(typeof shippingMethods)['schemas']>
  }
}

/** The operations on shipping methods: public reads, writes by administrators, who alone see inactive ones. */
export const shippingMethodRoutes = () =>
  crud(shippingMethods, {
    path: '/shipping-methods',
    reads: optionalAuthentication,
    writes: adminOnly('settings:write'),
    cache: publicCache,
    visible: ({ actor }) => (actor.role === 'admin' ? {} : { active: true }),
    summaries: {
      list: 'Lists the shipping methods; administrators see inactive ones too.',
      create: 'Creates a shipping method.',
      read: 'Reads a shipping method.',
      replace: 'Replaces a shipping method; its code stays.',
      modify: 'Changes some fields of a shipping method.',
      remove: 'Removes a shipping method; orders keep its code and cost.',
    },
  })

/** The shipping methods of a new shop. */
export const defaultMethods = (currencyDigits: number) =>
  (
    [
      ['standard', 'Standard delivery', 5, 3],
      ['express', 'Express delivery', 15, 1],
      ['pickup', 'Pickup at the shop', 0, null],
    ] as const
  ).map(([code, name, price, delivery_days]) => ({
    ...{ code, name, delivery_days },
    price: price * 10 ** currencyDigits,
  }))

/** Where an order is sent by a method. */
interface MethodChoice {
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
  method: Row<(typeof shippingMethods)['schemas']> | undefined,
  { subtotalMinor, country }: MethodChoice,
  field: string,
): Minor {
  if (!method?.active) {
    throw fieldProblem([{ field, message: createMessage('shipping.unknown_method') }])
  }
  if (method.countries.length > 0 && (country === null || !method.countries.includes(country))) {
    const message = createMessage('shipping.not_served', { name: method.name })
    throw fieldProblem([{ field, message }])
  }
  const { free_from: freeFrom, price } = method
  return freeFrom !== null && subtotalMinor >= freeFrom ? 0 : price
}
