import type { Context } from '#http/declare/context.ts'
import type { Include } from '#http/declare/related.ts'
import { collection, item, type Link } from '#http/declare/resource.ts'
import { loadItemsOf } from '#shop/orders/order-items/store.ts'
import { maySend } from '#shop/orders/parcels/rules.ts'
import { loadParcelsOf } from '#shop/orders/parcels/store.ts'
import { loadPaymentsOf } from '#shop/orders/payments/store.ts'
import { isReturnable } from '#shop/orders/returns/rules.ts'
import { isShippable } from '#shop/orders/shipping/rules.ts'
import type { Shop } from '#shop/shop.ts'
import { ownedOrder } from './access.ts'
import {
  awaitsBuyer,
  canTransition,
  hasNoPaymentInProgress,
  isEditable,
  isRemovable,
  presentOrder,
  returnsMoney,
} from './rules.ts'
import { Order, type OrderStatus } from './schema.ts'
import * as store from './store.ts'

type State = store.OrderState

const orderParams = ({ id }: State) => ({ orderId: id })
const userOrderParams = ({ id, user_id }: State) => ({ id: user_id ?? 0, orderId: id })
/** False once the buyer is erased. */
const hasBuyer = ({ user_id }: State) => user_id !== null

/** A link that changes the status, shown while the caller may do so. */
const transitionLink = (
  to: OrderStatus,
  isReady: (order: State) => boolean = () => true,
): Link<State> => ({
  to: 'order',
  operation: 'modify',
  params: orderParams,
  when: (order, { actor }) =>
    (hasNoPaymentInProgress(order) || (to === 'cancelled' && awaitsBuyer(order))) &&
    canTransition(order.status, to, actor.role) &&
    (!returnsMoney(order, to) || actor.scopes.has('refunds:write')) &&
    isReady(order),
  body: () => ({ status: to }),
})

const linksOf = (shop: Shop): Readonly<Record<string, Link<State>>> => ({
  self: { to: 'order', params: orderParams },
  items: { to: 'order_items', params: orderParams },
  shipping: { to: 'order_shipping', params: orderParams },
  payments: { to: 'order_payments', params: userOrderParams, when: hasBuyer },
  parcels: { to: 'order_parcels', params: orderParams },
  returns: { to: 'order_returns', params: orderParams },
  refunds: { to: 'order_refunds', params: orderParams, when: ({ money_taken }) => money_taken },
  user: {
    to: 'user',
    params: ({ user_id }) => ({ id: user_id ?? 0 }),
    when: hasBuyer,
  },
  return: {
    to: 'order_returns',
    operation: 'create',
    params: orderParams,
    when: (order, { now }) => order.parcel_count > 0 && isReturnable(order, shop, now),
    body: () => ({ items: [{ order_item_id: 0, quantity: 1 }], kind: 'return' }),
  },
  pay: {
    to: 'order_payments',
    operation: 'create',
    params: userOrderParams,
    when: (order) => isEditable(order) && hasBuyer(order) && isShippable(order),
    body: () => ({ method: 'card', token: 'string' }),
  },
  edit: {
    to: 'user_order',
    operation: 'replace',
    params: userOrderParams,
    when: (order) => isEditable(order) && hasBuyer(order),
  },
  cancel: transitionLink('cancelled', ({ parcel_count }) => parcel_count === 0),
  ship: transitionLink('shipped', isShippable),
  send: {
    to: 'order_parcels',
    operation: 'create',
    params: orderParams,
    when: (order) => hasNoPaymentInProgress(order) && maySend(order),
    body: () => ({ carrier: 'string', tracking_number: 'string' }),
  },
  deliver: transitionLink('delivered'),
  refund: transitionLink('refunded'),
  delete: {
    to: 'user_order',
    operation: 'remove',
    params: userOrderParams,
    when: (order) => (isRemovable(order) || awaitsBuyer(order)) && hasBuyer(order),
  },
})

const includes: Readonly<Record<string, Include<State>>> = {
  items: {
    resource: 'order_item',
    many: true,
    load: ({ db }, orders, maxRows) => loadItemsOf(db, orders, maxRows),
  },
  shipping: {
    resource: 'order_shipping',
    many: false,
    load: async (_ctx, orders) => new Map(orders.map((order) => [order, order])),
  },
  parcels: {
    resource: 'parcel',
    many: true,
    load: ({ db }, orders, maxRows) => loadParcelsOf(db, orders, maxRows),
  },
  payments: {
    resource: 'payment',
    many: true,
    load: ({ db }, orders, maxRows) => loadPaymentsOf(db, orders, maxRows),
  },
}

const definitionOf = (shop: Shop) => ({
  description: 'An order of a user.',
  schema: Order,
  isGone: ownedOrder.isGone,
  revision: ({ revision }: State) => revision,
  changedAt: ({ created_at, updated_at }: State) => [created_at, updated_at],
  owner: ownedOrder.owner,
  present: (order: State) => presentOrder(order),
  links: linksOf(shop),
  includes,
  includeGroups: { details: ['items', 'shipping', 'payments'] },
})

/** Orders and the orders of a user, as resources of a shop. */
export function orderResources(shop: Shop) {
  const definition = definitionOf(shop)
  const order = item({
    ...definition,
    name: 'order',
    path: '/orders/:orderId',
    load: ownedOrder.load,
    pathParams: orderParams,
  })
  const userOrder = item({
    ...definition,
    name: 'user_order',
    singular: 'order',
    path: '/users/:id/orders/:orderId',
    load: ({ db }: Context, { id, orderId }: { readonly id: number; readonly orderId: number }) =>
      store.findUserOrder(db, id, orderId),
    pathParams: userOrderParams,
  })
  const orders = collection({ name: 'orders', path: '/orders', item: order })
  const userOrders = collection({ name: 'user_orders', path: '/users/:id/orders', item: userOrder })
  return { order, userOrder, orders, userOrders }
}
