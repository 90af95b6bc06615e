import { Type } from 'typebox'
import { Money, nullable, stringEnum, type ValueOf } from '#schema/words.ts'

/** The code that a buyer enters. */
export const DiscountCode = Type.String({
  maxLength: 50,
  pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,49}$',
  description: 'The code that buyers enter, regardless of case.',
  examples: ['WELCOME10'],
})

/** A code as a buyer enters it; one that no discount has is answered with 409. */
export const EnteredCode = Type.String({
  maxLength: 100,
  description:
    'The code of a discount, regardless of case and of blanks around it; blank for none.',
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
