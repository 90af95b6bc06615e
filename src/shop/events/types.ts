/** Every type of event; `webhook.test` is no part of the feed. */
export const eventTypes = [
  'order.created',
  'order.updated',
  'order.paid',
  'order.shipped',
  'order.delivered',
  'order.cancelled',
  'order.refunded',
  'order.deleted',
  'payment.succeeded',
  'payment.failed',
  'payment.action_required',
  'payment.refunded',
  'product.created',
  'product.updated',
  'product.deleted',
  'product.out_of_stock',
  'product.back_in_stock',
  'user.created',
  'user.updated',
  'user.deleted',
  'user.erased',
  'review.created',
  'cart.abandoned',
  'import.completed',
  'webhook.disabled',
] as const

/** The type of an event, such as `order.paid`. */
export type EventType = (typeof eventTypes)[number]

/** The patterns that stand for all types of one kind of resource, such as `order.*`. */
export const typePatterns: readonly string[] = [
  ...new Set(eventTypes.map((type) => `${type.split('.', 1)[0]}.*`)),
]

/** The pattern that stands for every type. */
export const everyType = '*'

/** Returns the types that types and patterns stand for, each once. */
export const expandTypes = (names: readonly string[]): readonly EventType[] =>
  eventTypes.filter((type) =>
    names.some(
      (name) => name === type || name === everyType || name === `${type.split('.', 1)[0]}.*`,
    ),
  )
