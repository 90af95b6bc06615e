import { entityEvents } from '#shop/events/entity-events.ts'
import { presentOrder } from './rules.ts'
import { Order, type OrderStatus } from './schema.ts'
import type { OrderRow } from './table.ts'

/** The type of an event about an order. */
export type OrderEventType =
  `order.${Exclude<OrderStatus, 'pending'> | 'created' | 'updated' | 'deleted'}`

/** The type of the event of an order that takes this status. */
export const statusEventType = (status: OrderStatus): OrderEventType =>
  status === 'pending' ? 'order.updated' : `order.${status}`

/** Creates an event about an order. */
export const orderEvent = entityEvents<OrderRow, OrderEventType>({
  schema: Order,
  present: presentOrder,
  subject: ({ id }) => `/orders/${id}`,
  userId: ({ user_id }) => user_id,
})
