import { Type } from 'typebox'
import {
  Country,
  DateTime,
  Id,
  Money,
  nullable,
  requestBody,
  resettable,
  stringEnum,
  timestamps,
  type ValueOf,
} from '#schema/words.ts'
import { contactFields } from '#shop/accounts/addresses/contact.ts'
import { regionDescription } from '#shop/accounts/addresses/region.ts'
import { Percent } from '#shop/checkout/pricing/percent.ts'
import { MethodCode } from '#shop/checkout/shipping-methods.ts'

/** The status of a parcel. */
export const ShippingState = stringEnum(['pending', 'in_transit', 'delivered'], {
  description: 'The status of the parcel.',
})
export type ShippingState = ValueOf<typeof ShippingState>

const text = (maxLength: number, description: string, example: string) =>
  nullable(Type.String({ minLength: 1, maxLength, description, examples: [example] }))
const line = (description: string, example: string) =>
  Type.Optional(text(200, description, example))

const Address = Type.Object(
  {
    line1: line('Street and number.', '12 St James’s Square'),
    line2: line('Apartment, floor or other details.', 'Second floor'),
    city: line('City or town.', 'London'),
    region: line(regionDescription, 'Greater London'),
    postal_code: Type.Optional(text(20, 'In the format of the country.', 'SW1Y 4JH')),
    country: Type.Optional(nullable(Country('ISO 3166-1 alpha-2 code.'))),
  },
  { component: 'PostalAddress', additionalProperties: false, description: 'A postal address.' },
)
/** A postal address. */
export type Address = ValueOf<typeof Address>

const recipient = text(200, 'Name of the recipient.', 'Ada Lovelace')
const carrier = text(100, 'Name of the carrier.', 'Royal Mail')
const trackingNumber = text(100, 'Tracking number of the carrier.', 'RM123456789GB')
const trackingUrl = nullable(
  Type.String({
    maxLength: 2_000,
    format: 'uri',
    description: 'Page that tracks the parcel.',
    examples: ['https://example.com/track/RM123456789GB'],
  }),
)

/** Who carries a parcel, and where it is. */
export const trackingFields = {
  carrier,
  tracking_number: trackingNumber,
  tracking_url: trackingUrl,
}

/** How and where an order is sent. */
export const Shipping = Type.Object({
  order_id: Id('The order.'),
  method: MethodCode,
  recipient,
  ...contactFields,
  address: Address,
  status: ShippingState,
  ...trackingFields,
  shipped_at: nullable(DateTime({ description: 'When the parcel was handed to the carrier.' })),
  delivered_at: nullable(DateTime({ description: 'When the parcel was delivered.' })),
  cost: Money({ description: 'Cost of the method.' }),
  tax_rate: Percent('The tax rate on the cost in percent, as decimal text.', '19'),
  tax: Money({ description: 'Tax on the cost.' }),
  ...timestamps,
})

/** The code of the method of an order that names none. */
export const defaultMethod = 'standard'

const chosen = {
  method: Type.Optional(
    resettable(
      {
        ...MethodCode,
        description: `The code of the shipping method; \`${defaultMethod}\` where a POST or PUT names none.`,
      },
      defaultMethod,
    ),
  ),
  recipient: Type.Optional(recipient),
  company: Type.Optional(contactFields.company),
  vat_id: Type.Optional(contactFields.vat_id),
  phone: Type.Optional(contactFields.phone),
  address: Type.Optional(nullable(Address)),
  address_id: Type.Optional(
    Id(
      'Instead of `address`: a saved one of the buyer, copied with its recipient; requires the scope users:read.',
    ),
  ),
}

/** The shipping fields that a buyer may set. */
export const ShippingChoice = requestBody(chosen, Shipping)
export type ShippingChoice = ValueOf<typeof ShippingChoice>

const changeable = {
  ...chosen,
  status: Type.Optional(ShippingState),
  carrier: Type.Optional(carrier),
  tracking_number: Type.Optional(trackingNumber),
  tracking_url: Type.Optional(trackingUrl),
}

/** Body of PUT and PATCH: the fields of a buyer, and parcel fields for administrators. */
export const ShippingBody = requestBody(changeable, Shipping)
export type ShippingBody = ValueOf<typeof ShippingBody>
