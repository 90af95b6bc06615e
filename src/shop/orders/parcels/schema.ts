import { Type } from 'typebox'
import {
  DateTime,
  Id,
  nullable,
  requestBody,
  stringEnum,
  timestamps,
  type ValueOf,
} from '#schema/words.ts'
import { Quantity } from '#shop/checkout/carts/schema.ts'
import { maxOrderLines } from '#shop/orders/orders/schema.ts'
import { trackingFields } from '#shop/orders/shipping/schema.ts'

const ParcelStatus = stringEnum(['in_transit', 'delivered'], {
  description: 'Whether the parcel has arrived.',
})

const parcelItem = Type.Object(
  { order_item_id: Id('The item of the order.'), quantity: Quantity },
  { additionalProperties: false, component: 'ParcelItem' },
)

const items = Type.Array(parcelItem, {
  minItems: 1,
  maxItems: maxOrderLines,
  description: 'The pieces in the parcel.',
})

/** A parcel of an order. */
export const Parcel = Type.Object({
  id: Id('Identifies the parcel.'),
  order_id: Id('The order.'),
  items,
  status: ParcelStatus,
  ...trackingFields,
  delivered_at: nullable(DateTime({ description: 'When the parcel was delivered.' })),
  ...timestamps,
})

const changeable = {
  carrier: Type.Optional(trackingFields.carrier),
  tracking_number: Type.Optional(trackingFields.tracking_number),
  tracking_url: Type.Optional({
    ...trackingFields.tracking_url,
    description:
      'Page that tracks the parcel; without one, it follows from the number for the commonest carriers.',
  }),
}

/** Body of POST: without items, all pieces that were not sent yet. */
export const NewParcel = requestBody({ items: Type.Optional(items), ...changeable }, Parcel)
export type NewParcel = ValueOf<typeof NewParcel>

/** Body of PATCH. */
export const ParcelPatch = requestBody(
  { status: Type.Optional(ParcelStatus), ...changeable },
  Parcel,
)
export type ParcelPatch = ValueOf<typeof ParcelPatch>
