import { Type } from 'typebox'
import type { Context } from '#http/declare/context.ts'
import { anyUser, ownerOrAdmin, privateCache } from '#http/declare/policy.ts'
import { collection, type Include, item, type Link } from '#http/declare/resource.ts'
import {
  AfterCommit,
  create,
  created,
  list,
  modify,
  read,
  remove,
  replace,
} from '#http/declare/route.ts'
import type { Shop } from '#resources/dependencies.ts'
import { loadItemsOf } from '#resources/order-items/store.ts'
import { type PaymentDependencies, refund } from '#resources/payments/actions.ts'
import { loadPaymentsOf } from '#resources/payments/store.ts'
import { userInPathOrAdmin } from '#resources/users/access.ts'
import { problem } from '#values/problem.ts'
import { ownedOrder } from './access.ts'
import { patchOrder, placeOrder, removeOrder, replaceOrder } from './actions.ts'
import { listOrders } from './list-store.ts'
import { canTransition, presentOrder } from './rules.ts'
import { NewOrder, Order, OrderBody, OrderFilters, OrderPatch, type OrderStatus } from './schema.ts'
import * as store from './store.ts'

type State = store.OrderState

const orderParams = ({ id }: State) => ({ orderId: id })
const userOrderParams = ({ id, user_id }: State) => ({ id: user_id ?? 0, orderId: id })
const hasNoMoneyMoving = ({ payment_pending, refund_pending }: State) =>
  !payment_pending && !refund_pending
const isEditable = (order: State) => order.status === 'pending' && hasNoMoneyMoving(order)
/** False once the buyer is erased. */
const hasBuyer = ({ user_id }: State) => user_id !== null

/** A link that changes the status, shown while the caller may do so. */
const transitionLink = (to: OrderStatus): Link<State> => ({
  to: 'order',
  operation: 'modify',
  params: orderParams,
  when: (order, { actor }) =>
    hasNoMoneyMoving(order) && canTransition(order.status, to, actor.role),
  body: () => ({ status: to }),
})

const links: Readonly<Record<string, Link<State>>> = {
  self: { to: 'order', params: orderParams },
  items: { to: 'order_items', params: orderParams },
  shipping: { to: 'order_shipping', params: orderParams },
  payments: { to: 'order_payments', params: userOrderParams, when: hasBuyer },
  user: {
    to: 'user',
    params: ({ user_id }) => ({ id: user_id ?? 0 }),
    when: hasBuyer,
  },
  pay: {
    to: 'order_payments',
    operation: 'create',
    params: userOrderParams,
    when: (order) => isEditable(order) && hasBuyer(order),
    body: () => ({ method: 'card', token: 'string' }),
  },
  edit: {
    to: 'user_order',
    operation: 'replace',
    params: userOrderParams,
    when: (order) => isEditable(order) && hasBuyer(order),
  },
  cancel: transitionLink('cancelled'),
  ship: transitionLink('shipped'),
  deliver: transitionLink('delivered'),
  refund: transitionLink('refunded'),
  delete: {
    to: 'user_order',
    operation: 'remove',
    params: userOrderParams,
    when: (order) => hasBuyer(order) && (isEditable(order) || order.status === 'cancelled'),
  },
}

const includes: Readonly<Record<string, Include<State>>> = {
  items: {
    resource: 'order_item',
    many: true,
    load: ({ db }, orders) => loadItemsOf(db, orders),
  },
  shipping: {
    resource: 'order_shipping',
    many: false,
    load: async (_ctx, orders) => new Map(orders.map((order) => [order, order])),
  },
  payments: {
    resource: 'payment',
    many: true,
    load: ({ db }, orders) => loadPaymentsOf(db, orders),
  },
}

const definition = {
  description: 'An order of a user.',
  schema: Order,
  isGone: ownedOrder.isGone,
  revision: ({ revision }: State) => revision,
  changedAt: ({ created_at, updated_at }: State) => [created_at, updated_at],
  owner: ownedOrder.owner,
  present: (order: State) => presentOrder(order),
  links,
  includes,
  includeGroups: { details: ['items', 'shipping', 'payments'] },
}

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

const readPolicy = { rateLimit: 'reads', cache: privateCache } as const
const sortFields = ['id', 'created_at', 'updated_at', 'total', 'status']
const ownOrder = ownerOrAdmin(ownedOrder, 'orders:read')

/** The operations on `/orders` and on `/users/:id/orders`. */
export const orderRoutes = (shop: Shop, paymentDependencies: PaymentDependencies) => [
  ...shopRoutes(paymentDependencies),
  ...buyerRoutes(shop, paymentDependencies),
]

const shopRoutes = (paymentDependencies: PaymentDependencies) => [
  list(orders, {
    summary: 'Lists the orders of the caller or, for administrators, of all users.',
    access: anyUser('orders:read'),
    ...readPolicy,
    filters: OrderFilters,
    sortFields,
    problems: ['4031'],
    find: ({ db, actor }, { filters, page }) => {
      if (actor.role === 'admin') return listOrders(db, filters, page)
      const own = actor.userId ?? 0
      if ((filters.user_id ?? own) !== own) throw problem('4031', 'detail.not_owner')
      return listOrders(db, { ...filters, user_id: own }, page)
    },
  }),
  read(order, { summary: 'Reads an order.', access: ownOrder, ...readPolicy }),
  modify(order, {
    ...patchOptions(paymentDependencies),
    access: ownerOrAdmin(ownedOrder, 'orders:write'),
  }),
]

const buyerRoutes = (shop: Shop, paymentDependencies: PaymentDependencies) => {
  const write = { access: userInPathOrAdmin('orders:write'), rateLimit: 'writes' } as const
  return [
    list(userOrders, {
      summary: 'Lists the orders of a user.',
      access: userInPathOrAdmin('orders:read'),
      ...readPolicy,
      filters: Type.Pick(OrderFilters, ['status']),
      sortFields,
      find: ({ db }, { params, filters, page }) =>
        listOrders(db, { ...filters, user_id: params.id }, page),
    }),
    create(userOrders, {
      summary: 'Places an order of the items in the body or, without any, of the cart.',
      ...write,
      body: NewOrder,
      problems: ['4091', '4093'],
      handle: async ({ db, now }, { params, body }) =>
        created(await placeOrder(db, params.id, body, shop, now)),
    }),
    read(userOrder, {
      summary: 'Reads an order.',
      access: userInPathOrAdmin('orders:read'),
      ...readPolicy,
    }),
    replace(userOrder, {
      summary: 'Replaces items, shipping and note of a pending order.',
      ...write,
      body: OrderBody,
      problems: ['4091', '4093'],
      handle: ({ db, now }, { current, body }) => replaceOrder(db, current, body, shop, now),
    }),
    modify(userOrder, {
      ...patchOptions(paymentDependencies),
      access: userInPathOrAdmin('orders:write'),
    }),
    remove(userOrder, {
      summary: 'Removes a pending or cancelled order.',
      ...write,
      problems: ['4091'],
      handle: ({ db, now }, { current }) => removeOrder(db, current, now),
    }),
  ]
}

/** PATCH of an order. A refund calls the provider after the transaction has committed. */
const patchOptions = (paymentDependencies: PaymentDependencies) => ({
  summary: 'Changes the status of an order, or the note of a pending one.',
  rateLimit: 'writes' as const,
  body: OrderPatch,
  problems: ['4031', '4091', '5021', '5031', '5041'] as const,
  handle: async (
    { db, now, actor }: Context,
    { current, body }: { readonly current: State; readonly body: OrderPatch },
  ) => {
    const { order: updated, refunding } = await patchOrder(db, current, body, actor.role, now)
    if (!refunding) return updated
    return new AfterCommit(current.id, async (ctx: Context) => {
      await refund(paymentDependencies, refunding)
      return (await store.findOrder(ctx.db, current.id)) ?? current
    })
  },
  resumeResult: async ({ db }: Context, orderId: number) => {
    const order = await store.findOrder(db, orderId)
    if (order?.refund_pending) throw problem('4094', 'order.refund_under_way')
    return order
  },
})
