import { entityEvents } from '#shop/events/entity-events.ts'
import { presentParcel } from './rules.ts'
import { Parcel } from './schema.ts'
import type { StoredParcel } from './table.ts'

/** The type of an event about a parcel. */
export type ParcelEventType = `parcel.${'created' | 'updated' | 'delivered' | 'deleted'}`

/** Creates an event about a parcel of an order of this user. */
export const parcelEvent = entityEvents<
  StoredParcel & { readonly user_id: number | null },
  ParcelEventType
>({
  schema: Parcel,
  present: presentParcel,
  subject: ({ id, order_id }) => `/orders/${order_id}/parcels/${id}`,
  userId: ({ user_id }) => user_id,
})
