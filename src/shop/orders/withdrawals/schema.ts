import { Type } from 'typebox'
import { requestBody, type ValueOf } from '#schema/words.ts'
import { returnItems } from '#shop/orders/returns/schema.ts'

/** What the declaration of a withdrawal is answered with, whether it matches an order or not. */
export const Withdrawal = Type.Object({
  status: Type.Literal('accepted', {
    description: 'Says nothing about whether there is such an order.',
  }),
})

/** Body of POST. */
export const WithdrawalBody = requestBody(
  {
    order_number: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The number of the order.',
      examples: ['1001'],
    }),
    email: Type.String({
      minLength: 1,
      maxLength: 254,
      description: 'The email address of the order, to which the confirmation goes.',
      examples: ['ada@example.com'],
    }),
    name: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The name of who withdraws.',
      examples: ['Ada Lovelace'],
    }),
    items: Type.Optional({
      ...returnItems,
      description: 'The pieces from whose contract the buyer withdraws; by default all.',
    }),
  },
  Withdrawal,
)
export type WithdrawalBody = ValueOf<typeof WithdrawalBody>
