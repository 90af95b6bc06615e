import { entityEvents } from '#shop/events/entity-events.ts'
import { Return, type ReturnStatus } from './schema.ts'
import type { StoredReturn } from './table.ts'

/** The type of an event about a return: its new status, if that has changed. */
export type ReturnEventType = `return.${'updated' | ReturnStatus}`

/** Creates an event about a return of an order of this user. */
export const returnEvent = entityEvents<
  StoredReturn & { readonly user_id: number | null },
  ReturnEventType
>({
  schema: Return,
  present: (each) => each,
  subject: ({ id, order_id }) => `/orders/${order_id}/returns/${id}`,
  userId: ({ user_id }) => user_id,
})
