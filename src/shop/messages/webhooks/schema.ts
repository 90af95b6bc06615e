import { Type } from 'typebox'
import {
  DateTime,
  Id,
  listOf,
  mergePatch,
  nullable,
  requestBody,
  shownOnce,
  stringEnum,
  timestamps,
  type ValueOf,
} from '#schema/words.ts'
import { eventTypes, everyType, typePatterns } from '#shop/events/types.ts'
import { rotationSchema } from '#shop/rotation-schema.ts'

const selectableTypes = [...eventTypes, ...typePatterns, everyType]

const fields = {
  url: Type.String({
    format: 'uri',
    minLength: 1,
    maxLength: 2_000,
    description:
      'Where events are sent by POST: an https URL at a public address, or any in WEBHOOK_ALLOWED_NETWORKS.',
    examples: ['https://erp.example.com/hooks'],
  }),
  types: Type.Array(stringEnum(selectableTypes, { component: 'EventTypes' }), {
    minItems: 1,
    maxItems: 50,
    description:
      'The types of events that are sent; `order.*` stands for all of orders, `*` for all.',
    examples: [['order.paid', 'product.*']],
  }),
  description: nullable(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'A note for people.',
      examples: ['Warehouse'],
    }),
  ),
  active: Type.Boolean({
    description: 'Whether events are sent. Those of the time in which it is false are never sent.',
    examples: [true],
  }),
}

// The canonical Base64 of 24 to 64 bytes: the unused bits of the last digit are 0.
const digit = '[A-Za-z\\d+/]'
const lastBytes = `((${digit}{4})?(${digit}[AQgw]==)?|${digit}{2}[AEIMQUYcgkosw048]=)`

const secret = Type.String({
  maxLength: 100,
  documented: { pattern: `^whsec_(${digit}{4}){8,20}${lastBytes}$` },
  description:
    'The secret that signs (Standard Webhooks): `whsec_` and 24 to 64 bytes in Base64. Only in the first response to the request that created it.',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
})

/** A webhook in responses. */
export const Webhook = Type.Object({
  id: Id(),
  ...fields,
  disabled_reason: nullable(
    stringEnum(['gone', 'failing', 'key_revoked', 'recovered'], {
      description:
        'Why the server has disabled it: the endpoint answered 410, nothing was delivered in five days, the API key that set it up was revoked, or the account of whoever set it up was recovered. Null otherwise.',
    }),
  ),
  secret: Type.Optional(shownOnce(secret)),
  ...timestamps,
})

/** The body of POST. */
export const WebhookBody = requestBody(
  {
    url: fields.url,
    types: fields.types,
    description: Type.Optional(fields.description),
    active: Type.Optional({ ...fields.active, default: true }),
    secret: Type.Optional({ ...secret, description: 'A secret to use; by default a new one.' }),
  },
  Webhook,
)
export type WebhookBody = ValueOf<typeof WebhookBody>

const { secret: _, ...changeable } = WebhookBody.properties

/** The body of PATCH. */
export const WebhookPatch = mergePatch(
  requestBody(
    {
      url: changeable.url,
      types: changeable.types,
      description: changeable.description,
      active: changeable.active,
    },
    Webhook,
  ),
)
export type WebhookPatch = ValueOf<typeof WebhookPatch>

/** The body of a secret rotation. */
export const WebhookRotation = rotationSchema('secret')

/** The body of an operation that needs none. */
export const EmptyBody = Type.Object({}, { additionalProperties: false })

const deliveryStatuses = ['pending', 'delivered', 'failed'] as const
const status = stringEnum(deliveryStatuses, {
  description: 'Whether the endpoint has answered 2xx, or may yet.',
})
const Attempt = Type.Object({
  at: DateTime({ description: 'When the attempt began.' }),
  status: nullable(Type.Integer({ description: 'The status of the response; null without one.' })),
  duration_ms: Type.Integer({ description: 'How long it took, in milliseconds.' }),
  error: nullable(
    Type.String({
      description: 'Why there is no response; null with one.',
      examples: ['timeout'],
    }),
  ),
  response: nullable(
    Type.String({
      description:
        'The first KiB of the body of the response; null without one, and once the person of the event is erased.',
    }),
  ),
})

/** A delivery in responses. */
export const Delivery = Type.Object({
  id: Id(),
  webhook_id: Id(),
  event_id: Type.String({
    description: 'The ID of the event, which every attempt sends as `webhook-id`.',
    examples: ['evt_01987c3e-5a40-7000-8000-00000000002a'],
  }),
  status,
  attempts: Type.Array(Attempt, { description: 'The newest 50 attempts, the oldest first.' }),
  next_attempt_at: nullable(
    DateTime({ description: 'When the next attempt takes place; null if there is none.' }),
  ),
  ...timestamps,
})

/** The filters of the list of deliveries. */
export const DeliveryFilters = Type.Object({
  status: Type.Optional(listOf(status, 'Only deliveries of this status.')),
  event_id: Type.Optional(Type.String({ description: 'Only the delivery of this event.' })),
})
export type DeliveryFilters = ValueOf<typeof DeliveryFilters>
