import { Type } from 'typebox'
import { entityEvents } from '#shop/events/entity-events.ts'
import type { Instant } from '#values/instant.ts'
import { type PricedCart, presentCart, presentLine } from './rules.ts'
import { Cart, CartItem } from './schema.ts'

/** A cart at an instant, in a shop with this currency. */
interface CartState {
  readonly cart: PricedCart
  readonly currency: string
  readonly now: Instant
}

/** Creates an event about a cart. */
export const cartEvent = entityEvents<CartState, 'cart.abandoned'>({
  schema: Type.Object({ ...Cart.properties, items: Type.Array(CartItem) }),
  present: ({ cart, currency, now }) => ({
    ...presentCart(cart, now, currency),
    items: cart.lines.map(presentLine),
  }),
  subject: ({ cart }) => `/users/${cart.user_id}/cart`,
  userId: ({ cart }) => cart.user_id,
})
