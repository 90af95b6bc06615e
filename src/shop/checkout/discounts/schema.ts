import { Type } from 'typebox'
import {
  DateTime,
  Id,
  Money,
  mergePatch,
  nullable,
  requestBody,
  stringEnum,
  timestamps,
  type ValueOf,
} from '#schema/words.ts'
import { Percent } from '#shop/checkout/pricing/percent.ts'

/** The code that a buyer enters. */
export const DiscountCode = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,49}$',
  description: 'The code that buyers enter, regardless of case.',
  examples: ['WELCOME10'],
})

/** A code as a buyer enters it; one that no discount has is answered with 409. */
export const EnteredCode = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The code of a discount, regardless of case and of blanks around it.',
  examples: ['WELCOME10'],
})

/** The discount of a cart or order, in its representation. */
export const AppliedDiscount = nullable(
  Type.Object(
    {
      code: DiscountCode,
      amount: Money({ description: 'What it takes off the items; 0 for free shipping.' }),
    },
    { component: 'AppliedDiscount', description: 'The discount; null without one.' },
  ),
)

/** What a discount reduces. */
export const DiscountKind = stringEnum(['percent', 'amount', 'free_shipping'], {
  description: 'What the discount reduces: the price by a share or by an amount, or the shipping.',
  examples: ['percent'],
})
export type DiscountKind = ValueOf<typeof DiscountKind>

const maxScope = 1_000
const maxUses = 1_000_000_000

const limit = (description: string) =>
  nullable(Type.Integer({ minimum: 1, maximum: maxUses, description, examples: [100] }))

const fields = {
  kind: DiscountKind,
  value: Type.Union(
    [
      Percent('For `percent`: the share in percent, as decimal text.', '10'),
      Money({ description: 'For `amount`: the amount.' }),
      Type.Null(),
    ],
    {
      description:
        'A share in percent as decimal text, or an amount of money; null for free shipping.',
      examples: ['10'],
    },
  ),
  minimum_subtotal: nullable(
    Money({ description: 'The least subtotal, before the discount, that it applies to.' }),
  ),
  products: Type.Array(Id('A product.'), {
    maxItems: maxScope,
    default: [],
    entry: 'product',
    description:
      'The products, with their variants, that it applies to; with `categories`, either of them.',
    examples: [[42]],
  }),
  categories: Type.Array(
    Type.String({ minLength: 1, maxLength: 100, description: 'A category.', examples: ['books'] }),
    {
      maxItems: maxScope,
      default: [],
      entry: 'category',
      description: 'The categories that it applies to; everything if both lists are empty.',
      examples: [['books']],
    },
  ),
  starts_at: nullable(DateTime({ description: 'The first instant at which it can be used.' })),
  ends_at: nullable(DateTime({ description: 'The first instant at which it no longer can.' })),
  usage_limit: limit('The number of orders that can use it.'),
  usage_limit_per_user: limit('The number of orders of one user that can use it.'),
  active: Type.Boolean({
    default: true,
    description: 'Whether it can be used.',
    examples: [true],
  }),
}

/** A discount in responses. */
export const Discount = Type.Object({
  id: Id(),
  code: DiscountCode,
  ...fields,
  used_count: Type.Integer({ description: 'The number of orders that use it.', examples: [7] }),
  ...timestamps,
})

/** The body of POST and PUT; PUT must repeat the code. */
export const DiscountBody = requestBody(
  {
    code: DiscountCode,
    kind: fields.kind,
    value: Type.Optional(fields.value),
    minimum_subtotal: Type.Optional(fields.minimum_subtotal),
    products: Type.Optional(fields.products),
    categories: Type.Optional(fields.categories),
    starts_at: Type.Optional(fields.starts_at),
    ends_at: Type.Optional(fields.ends_at),
    usage_limit: Type.Optional(fields.usage_limit),
    usage_limit_per_user: Type.Optional(fields.usage_limit_per_user),
    active: Type.Optional(fields.active),
  },
  Discount,
)
export type DiscountBody = ValueOf<typeof DiscountBody>

/** The body of PATCH. */
export const DiscountPatch = mergePatch(DiscountBody)
export type DiscountPatch = ValueOf<typeof DiscountPatch>

/** The filters of the list. */
export const DiscountFilters = Type.Object({
  code: Type.Optional(Type.String({ description: 'Only the discount with this code.' })),
  kind: Type.Optional(DiscountKind),
})
export type DiscountFilters = ValueOf<typeof DiscountFilters>
