import { Type } from 'typebox'
import {
  Id,
  Money,
  nullable,
  requestBody,
  stringEnum,
  timestamps,
  type ValueOf,
} from '#schema/words.ts'

/** The status of a payment. */
export const PaymentStatus = stringEnum(
  ['succeeded', 'pending', 'action_required', 'failed', 'refunded'],
  {
    description:
      'The status of the payment; action_required: the buyer has to act; refunded: it succeeded and all of it was returned.',
  },
)
export type PaymentStatus = ValueOf<typeof PaymentStatus>

/** What the buyer has to do before the payment goes on. */
const NextAction = Type.Object(
  {
    type: stringEnum(['redirect', 'provider'], {
      description:
        'redirect: the browser of the buyer opens the URL. provider: the script of the provider in the browser takes the secret.',
    }),
    url: Type.Optional(
      Type.String({
        format: 'uri',
        description: 'The page to open.',
        examples: ['https://pay.example.com/confirm/9f8e7d'],
      }),
    ),
    client_secret: Type.Optional(
      Type.String({
        description: 'The secret for the script of the provider.',
        examples: ['pi_42_secret_9f8e7d'],
      }),
    ),
  },
  {
    component: 'NextAction',
    description:
      'What the buyer has to do; null without an action, and for callers who may not pay.',
  },
)

const method = stringEnum(['card'], { description: 'The payment method.' })

/** An attempt to pay for an order. */
export const Payment = Type.Object({
  id: Id('Identifies the payment.'),
  order_id: Id('The order.'),
  method,
  amount: Money({ description: 'Amount of the payment.' }),
  currency: Type.String({ description: 'ISO 4217 code.', examples: ['USD'] }),
  status: PaymentStatus,
  refunded_total: Money({ description: 'What was returned of it.' }),
  provider: Type.String({ description: 'The payment provider.', examples: ['sandbox'] }),
  provider_reference: nullable(
    Type.String({ description: 'ID of the charge at the provider.', examples: ['ch_0042'] }),
  ),
  failure: nullable(
    Type.String({
      description: 'Why it failed, in the words of the provider; null otherwise.',
      examples: ['card declined'],
    }),
  ),
  next_action: nullable(NextAction),
  ...timestamps,
})

/** Body of POST. */
export const PaymentBody = requestBody(
  {
    method,
    token: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Token of the provider for the card; `/docs/tasks` lists those of the sandbox.',
      examples: ['tok_visa'],
    }),
    amount: Type.Optional(
      Money({ description: 'The total of the order; answers 422 if it differs.' }),
    ),
    return_url: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2_000,
        description:
          'Where the browser of the buyer returns after an action, with payment_id added to its query; on an origin of CORS_ORIGINS or of the server.',
      }),
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
