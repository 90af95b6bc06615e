import { Type } from 'typebox'
import { crud } from '#http/crud.ts'
import { adminOnly, privateCache } from '#http/declare/policy.ts'
import { createMessage, type MessageKey } from '#i18n/message.ts'
import { DateTime, Id, Money, nullable, type ValueOf } from '#schema/words.ts'
import { formatPercent, Percent, parsePercent } from '#shop/checkout/pricing/percent.ts'
import { asJson, type ColumnsOf, columnDefault, type Row, storedAs } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { entity } from '#store/entity.ts'
import { keyed, sortable, withDefault } from '#store/entity-fields.ts'
import { fieldProblem } from '#values/problem.ts'
import { textKey } from '#values/text-key.ts'
import { DiscountCode, DiscountKind } from './schema.ts'
import { requireKnownScope } from './scope.ts'

const maxScope = 1_000
const maxUses = 1_000_000_000

const limit = (description: string) =>
  nullable(Type.Integer({ minimum: 1, maximum: maxUses, description, examples: [100] }))

const fields = {
  code: sortable(keyed(DiscountCode, textKey)),
  kind: DiscountKind,
  value: storedAs(
    Type.Union(
      [
        Percent('For `percent`: the share in percent, as decimal text.', '10'),
        Money({ description: 'For `amount`: the amount.' }),
        Type.Null(),
      ],
      {
        description:
          'A share in percent as decimal text, or an amount of money; null for free shipping.',
        examples: ['10'],
        numberIf: { field: 'kind', is: 'amount' },
      },
    ),
    asJson,
  ),
  minimum_subtotal: nullable(
    Money({ description: 'The least subtotal, before the discount, that it applies to.' }),
  ),
  products: withDefault(
    Type.Array(Id('A product.'), {
      maxItems: maxScope,
      entry: 'product',
      description:
        'The products, with their variants, that it applies to; with `categories`, either of them.',
      examples: [[42]],
    }),
    [],
  ),
  categories: withDefault(
    Type.Array(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'A category.',
        examples: ['kitchen'],
      }),
      {
        maxItems: maxScope,
        entry: 'category',
        description: 'The categories that it applies to; everything if both lists are empty.',
        examples: [['kitchen']],
      },
    ),
    [],
  ),
  starts_at: nullable(DateTime({ description: 'The first instant at which it can be used.' })),
  ends_at: nullable(DateTime({ description: 'The first instant at which it no longer can.' })),
  usage_limit: limit('The number of orders that can use it.'),
  usage_limit_per_user: limit(
    'The number of orders of one user, or with one contact address, that can use it; an address counts in orders that are paid or of the user who has confirmed it.',
  ),
  active: withDefault(
    Type.Boolean({ description: 'Whether it can be used.', examples: [true] }),
    true,
  ),
}

const invalid = (field: keyof typeof fields, key: MessageKey, missing = false) =>
  fieldProblem([{ field, message: createMessage(key), ...(missing && { missing }) }])

type Value = ValueOf<typeof fields.value>

/** Returns the value in canonical form. Throws 422/4221 unless it fits the kind. */
function normalizeValue(kind: DiscountKind, value: Value): Value {
  switch (kind) {
    case 'percent': {
      const units = typeof value === 'string' ? parsePercent(value) : undefined
      if (!units) throw invalid('value', 'discount.percent')
      return formatPercent(units)
    }
    case 'amount':
      if (typeof value !== 'number' || value === 0) throw invalid('value', 'discount.amount')
      return value
    case 'free_shipping':
      if (value !== null) throw invalid('value', 'discount.no_value')
      return value
    default:
      return kind satisfies never
  }
}

/**
 * Returns the fields of a discount without repeated products and categories. Throws 400/4001 for a
 * missing value and 422/4221 for one that does not fit the kind, or a period that is empty.
 */
export function checkDiscount(values: Row<typeof fields>, given: object): Row<typeof fields> {
  const { kind, value, starts_at, ends_at, products, categories } = values
  if (kind !== 'free_shipping' && value === null && !('value' in given)) {
    throw invalid('value', 'field.required', true)
  }
  if (starts_at !== null && ends_at !== null && ends_at <= starts_at) {
    throw invalid('ends_at', 'discount.empty_period')
  }
  return {
    ...values,
    value: normalizeValue(kind, value),
    products: [...new Set(products)],
    categories: [...new Set(categories)],
  }
}

/** The discounts of the shop. */
export const discounts = entity('discounts', {
  name: 'discount',
  description: 'A code that makes orders cheaper.',
  fields,
  shown: {
    used_count: columnDefault(
      Type.Integer({ description: 'The number of orders that use it.', examples: [7] }),
      0,
    ),
  },
  fixed: ['code'],
  check: checkDiscount,
  verify: requireKnownScope,
  unique: ['code_key where deleted_at is null'],
  duplicate: 'settings.duplicate_code',
  filters: {
    code: Type.Optional(Type.String({ description: 'Only the discount with this code.' })),
    kind: Type.Optional(DiscountKind),
  },
  owner: null,
  encrypted: [],
  kept: 'forever',
})

declare module '#store/tables.ts' {
  interface Tables {
    discounts: ColumnsOf<(typeof discounts)['schemas']>
  }
}

/** A stored discount. */
export type Discount = Row<(typeof discounts)['schemas']>

/** The operations on discounts, for administrators. */
export const discountRoutes = () =>
  crud(discounts, {
    path: '/discounts',
    reads: adminOnly('settings:write'),
    writes: adminOnly('settings:write'),
    cache: privateCache,
    // Concurrent uses would otherwise starve an optimistic update of a popular discount.
    locks: true,
    summaries: {
      list: 'Lists the discounts.',
      create: 'Creates a discount.',
      read: 'Reads a discount.',
      replace: 'Replaces a discount; its code stays.',
      modify: 'Changes some fields of a discount.',
      remove: 'Removes a discount; orders keep what it took off.',
    },
  })

/**
 * Returns the discount with this code, regardless of case; if locked until the transaction ends, its
 * limits hold.
 */
export const findDiscountByCode = (
  db: Db,
  code: string,
  locks = false,
): Promise<Discount | undefined> =>
  discounts.find(db, { code_key: textKey(code), deleted_at: null }, { locks })
