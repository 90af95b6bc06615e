import type { Context } from '#http/declare/context.ts'
import { findOrder, type OrderState } from './store.ts'

/** How access policies load an order and find its owner. */
export const ownedOrder = {
  name: 'order',
  load: ({ db }: Context, { orderId }: { readonly orderId: number }) => findOrder(db, orderId),
  owner: ({ user_id }: OrderState) => user_id,
  isGone: ({ deleted_at }: OrderState) => deleted_at !== null,
}
