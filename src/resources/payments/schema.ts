import { Type } from 'typebox'
import {
  Id,
  Money,
  nullable,
  requestBody,
  stringEnum,
  timestamps,
  type ValueOf,
} from '#http/declare/schema.ts'

const method = stringEnum(['card'], { description: 'The payment method.' })

/** An attempt to pay for an order. */
export const Payment = Type.Object({
  id: Id('Identifies the payment.'),
  order_id: Id('The order.'),
  method,
  amount: Money({ description: 'Amount of the payment.' }),
  currency: Type.String({ description: 'ISO 4217 code.', examples: ['USD'] }),
  status: stringEnum(['succeeded', 'pending', 'failed', 'refunded'], {
    description: 'The status of the payment; refunded: it succeeded and was returned.',
  }),
  provider: Type.String({ description: 'The payment provider.', examples: ['sandbox'] }),
  provider_reference: nullable(
    Type.String({ description: 'ID of the charge at the provider.', examples: ['ch_0042'] }),
  ),
  ...timestamps,
})

/** Body of POST. */
export const PaymentBody = requestBody(
  {
    method,
    token: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Token of the provider for the card.',
      examples: ['tok_visa'],
    }),
    amount: Type.Optional(
      Money({ description: 'The total of the order; answers 422 if it differs.' }),
    ),
  },
  Payment,
)
export type PaymentBody = ValueOf<typeof PaymentBody>

/** A notification of the provider; the signature covers the raw body. */
export const Notification = Type.Object({}, { additionalProperties: true })

/** The response to a notification. */
export const Receipt = Type.Object({
  received: Type.Boolean({ description: 'Always true: the notification need not be sent again.' }),
})
