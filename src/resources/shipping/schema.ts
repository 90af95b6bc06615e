import { Type } from 'typebox'
import {
  Id,
  Moment,
  Money,
  nullable,
  oneOf,
  stamps,
  type ValueOf,
  writable,
} from '#http/declare/schema.ts'

/** How an order reaches its buyer. */
export const ShippingMethod = oneOf(['standard', 'express', 'pickup'], {
  description: 'How the order reaches its buyer.',
})
export type ShippingMethod = ValueOf<typeof ShippingMethod>

/** How far a parcel has come. */
export const ShippingState = oneOf(['pending', 'in_transit', 'delivered'], {
  description: 'How far the parcel has come.',
})
export type ShippingState = ValueOf<typeof ShippingState>

const text = (maxLength: number, description: string, example: string) =>
  nullable(Type.String({ minLength: 1, maxLength, description, examples: [example] }))
const line = (description: string, example: string) =>
  Type.Optional(text(200, description, example))

const Address = Type.Object(
  {
    line1: line('Street and number.', '12 St James’s Square'),
    line2: line('Whatever else finds the door.', 'Second floor'),
    city: line('City or town.', 'London'),
    region: line('State, province or county.', 'Greater London'),
    postal_code: Type.Optional(text(20, 'As the country writes it.', 'SW1Y 4JH')),
    country: Type.Optional(
      nullable(
        Type.String({
          pattern: '^[A-Z]{2}$',
          format: 'country',
          description: 'ISO 3166-1 alpha-2 code.',
          examples: ['GB'],
        }),
      ),
    ),
  },
  { component: 'Address', additionalProperties: false, description: 'A postal address.' },
)
/** A postal address. */
export type Address = ValueOf<typeof Address>

const recipient = text(200, 'Who receives it.', 'Ada Lovelace')
const carrier = text(100, 'Who carries it.', 'Royal Mail')
const trackingNumber = text(100, 'By which the carrier knows it.', 'RM123456789GB')
const trackingUrl = nullable(
  Type.String({
    maxLength: 2_000,
    format: 'uri',
    description: 'Where the parcel can be followed.',
    examples: ['https://example.com/track/RM123456789GB'],
  }),
)

/** How and where an order is sent. */
export const Shipping = Type.Object({
  order_id: Id('The order sent.'),
  method: ShippingMethod,
  recipient,
  address: Address,
  status: ShippingState,
  carrier,
  tracking_number: trackingNumber,
  tracking_url: trackingUrl,
  shipped_at: nullable(Moment({ description: 'When it was handed to the carrier.' })),
  delivered_at: nullable(Moment({ description: 'When it arrived.' })),
  cost: Money({ description: 'What the method costs.' }),
  ...stamps,
})

const chosen = {
  method: Type.Optional(ShippingMethod),
  recipient: Type.Optional(recipient),
  address: Type.Optional(Address),
}

/** What a buyer decides about shipping. */
export const ShippingChoice = writable(chosen, Shipping)
export type ShippingChoice = ValueOf<typeof ShippingChoice>

/** What PUT takes: a buyer's choice, and what an administrator knows of the parcel. */
export const ShippingBody = writable(
  {
    ...chosen,
    method: ShippingMethod,
    status: Type.Optional(ShippingState),
    carrier: Type.Optional(carrier),
    tracking_number: Type.Optional(trackingNumber),
    tracking_url: Type.Optional(trackingUrl),
  },
  Shipping,
)
export type ShippingBody = ValueOf<typeof ShippingBody>
