import { Type } from 'typebox'
import { Id, Money, nullable, oneOf, stamps, type ValueOf, writable } from '#http/declare/schema.ts'

const method = oneOf(['card'], { description: 'The means of payment.' })

/** An attempt to pay for an order. */
export const Payment = Type.Object({
  id: Id('Identifies the payment.'),
  order_id: Id('The order paid for.'),
  method,
  amount: Money({ description: 'What is paid.' }),
  currency: Type.String({ description: 'ISO 4217 code.', examples: ['USD'] }),
  status: oneOf(['succeeded', 'pending', 'failed', 'refunded'], {
    description: 'What became of it; refunded: it succeeded, and was given back.',
  }),
  provider: Type.String({ description: 'Who moves the money.', examples: ['sandbox'] }),
  provider_reference: nullable(
    Type.String({ description: "The provider's name of it.", examples: ['ch_0042'] }),
  ),
  ...stamps,
})

/** What POST takes to pay for an order. */
export const PaymentBody = writable(
  {
    method,
    token: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Stands for the card at the provider.',
      examples: ['tok_visa'],
    }),
    amount: Type.Optional(Money({ description: 'The total of the order, as a check.' })),
  },
  Payment,
)
export type PaymentBody = ValueOf<typeof PaymentBody>

/** What a provider sends to tell of a charge; its signature is held against the raw body. */
export const Notification = Type.Object({}, { additionalProperties: true })

/** The answer to a notification. */
export const Receipt = Type.Object({
  received: Type.Boolean({ description: 'True: it need not be sent again.' }),
})
